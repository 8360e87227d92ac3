#!/bin/sh
# Runs the checks that need real time. Run it by hand before a release, on an otherwise idle machine.
#
#   scripts/soak.sh [--help | GAME...]
#
# Plays every game on the clock, beside busy loops and with players that are suspended while the opponent thinks
# (SIGSTOP, SIGCONT): no player may fail. If the time budget is for a whole game, a player must use 95 % of it in its
# longest game (Zuniq: 50 %, because its solver ends the thinking once the result is proved). Checks every submission
# at the contest's time. Takes about 15 minutes, prints one row per check, and exits with status 1 if a check fails.
# Uses $CUPBOT or target/release/cupbot.
set -eu

case ${1-} in
--help | -h)
    sed -n '2,10s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
-*)
    echo "$0: unexpected $1; see $0 --help" >&2
    exit 2
    ;;
esac
bot=${CUPBOT:-$(dirname "$0")/../target/release/cupbot}
bot=$(command -v "$bot") || { echo "$0: no $bot; set CUPBOT" >&2; exit 2; }
# Games per match.
games=4
# Milliseconds per game, or per move if moves are timed. A loaded machine needs more than the contest's 50 ms.
game_ms=10000
move_ms=200
loops=$(($(getconf _NPROCESSORS_ONLN) + 1))

scratch=$(mktemp -d)
busy=
failed=0
stop_loops() {
    [ -z "$busy" ] || kill $busy 2>/dev/null || true
    busy=
}
trap 'stop_loops; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# Runs a command beside busy loops.
beside_loops() {
    for _ in $(seq "$loops"); do
        sh -c 'while :; do :; done' &
        busy="$busy $!"
    done
    status=0
    "$@" || status=$?
    stop_loops
    return "$status"
}

# Prints a row: row CHECK CONDITIONS RESULT COMMAND...; the check passes if COMMAND succeeds.
row() {
    check=$1 conditions=$2 result=$3
    shift 3
    verdict=ok
    "$@" || { verdict=FAIL; failed=$((failed + 1)); }
    printf '%-26s %-34s %-40s %s\n' "$check" "$conditions" "$result" "$verdict"
}

# Plays a match: play GAME MILLISECONDS OPPONENT OPTIONS...
play() {
    game=$1 ms=$2 opponent=$3
    shift 3
    "$bot" match --game "$game" "$bot play $game" "$opponent" --games "$games" --time "${ms}ms" \
        --openings none --no-record --json "$@" >"$scratch/match.json" 2>"$scratch/log"
}

# Prints the faults of the match.
faults() {
    found=$(sed -n '/"faults": {$/,/}/s/^ *"\([a-z_]*\)": \([0-9][0-9]*\).*/\2 \1/p' "$scratch/match.json" | tr '\n' ' ')
    echo "faults: ${found:-none}"
}

# Prints the largest part of a game's budget that a player used, in percent.
percent_used() {
    sed -n 's/.*"most_wall": \([0-9.e-]*\).*/\1/p' "$scratch/match.json" |
        awk -v ms="$game_ms" '{ if ($1 > most) most = $1 } END { printf "%.1f", most * 1e5 / ms }'
}

at_least() {
    awk -v found="$1" -v least="$2" 'BEGIN { exit !(found >= least) }'
}

# Runs all checks of a game.
check_game() {
    case $1 in
    chess960) ms=$move_ms unit=move ;;
    zuniq) ms=$game_ms unit=game least_percent=50 ;;
    *) ms=$game_ms unit=game least_percent=95 ;;
    esac
    status=0
    beside_loops play "$1" "$ms" self || status=$?
    row "$1: no loss" "$loops busy loops, $ms ms a $unit" "$(faults)" \
        test "$status $(faults)" = "0 faults: none"
    status=0
    opponent="$bot play $1"
    # With a copy of itself it would only follow its stored game.
    [ "$1" != 6561 ] || opponent="$bot random-mover $1 --seed 1"
    play "$1" "$ms" "$opponent" --judge || status=$?
    row "$1: no loss" "suspended, $ms ms a $unit" "$(faults)" test "$status $(faults)" = "0 faults: none"
    if [ "$unit" = game ]; then
        percent=$(percent_used)
        row "$1: time used" "suspended, $ms ms a $unit" "$percent % of at least $least_percent %" \
            at_least "$percent" "$least_percent"
    fi
    status=0
    "$bot" submit "$1" -o "$scratch/$1.rs"
    "$bot" submit --check "$scratch/$1.rs" >"$scratch/findings" 2>"$scratch/log" || status=$?
    row "$1: submission" "the contest's time" "$(sed -n 's/^BROKEN *//p;s/^ok  *wall time *//p' "$scratch/findings" |
        head -n 1 | cut -c 1-40)" test "$status" = 0
}

printf '%-26s %-34s %-40s %s\n' check conditions result verdict
if [ $# = 0 ]; then
    # A failure within `set` would not end the script.
    names=$("$bot" games --names)
    [ -n "$names" ]
    set -- $names
fi
for game; do
    check_game "$game"
done
echo "$failed failed; load $(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || uptime)"
[ "$failed" = 0 ]
