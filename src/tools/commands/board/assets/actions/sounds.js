/* A short sound for each move, where they are switched on. */
import { onChange, state } from '../state/state.js';

const SECONDS = .09;
/** Pitches of a move, of one that takes, and of the end, in hertz. */
const PITCH = { move: 330, takes: 220, end: 523 };
/** @type {AudioContext | null} */
let audio = null;

/** @param {number} pitch */
function sound(pitch) {
  audio = audio || new AudioContext();
  const tone = audio.createOscillator(), volume = audio.createGain(), now = audio.currentTime;
  tone.type = 'triangle';
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(.25, now);
  volume.gain.exponentialRampToValueAtTime(.001, now + SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + SECONDS);
}

export function playSounds() {
  let last = state.current;
  onChange(({ glide }) => {
    const { current, settings } = state, { scene } = current;
    if (current === last || !scene) return;
    last = current;
    if (settings.sound && glide) sound(scene.end ? PITCH.end : scene.takes ? PITCH.takes : PITCH.move);
  });
}
