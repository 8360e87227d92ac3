#!/bin/sh
# Tests the Slurm scripts on a real Slurm with one node, and parallel.sh over ssh to this machine.
# Starts everything in a temporary folder and stops it at the end. Skips, with a message, the parts whose
# packages can't be installed. Uses $CUPBOT or target/release/cupbot.
set -eu
cd "$(dirname "$0")/.."
bot=${CUPBOT:-$PWD/target/release/cupbot}
export CUPBOT="$bot"
export PATH="$PATH:/usr/sbin"
work=$(mktemp -d)
chmod 755 "$work"

stop() {
    for name in slurmd slurmctld munged sshd; do
        if [ -s "$work/$name.pid" ]; then
            kill "$(cat "$work/$name.pid")" 2>/dev/null || true
        fi
    done
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

say() {
    echo "== $*"
}

fail() {
    echo "failed: $*" >&2
    exit 1
}

# Succeeds if a program is installed or can be installed: has PROGRAM PACKAGE...
has() {
    program=$1
    shift
    command -v "$program" >/dev/null && return
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        apt-get install -y "$@" >"$work/apt.log" 2>&1 || true
    fi
    command -v "$program" >/dev/null
}

# Waits until a command succeeds, at most a minute.
wait_for() {
    seconds=60
    until "$@" >/dev/null 2>&1; do
        seconds=$((seconds - 1))
        [ "$seconds" -gt 0 ] || fail "waited for a minute: $*"
        sleep 1
    done
}

start_slurm() {
    host=$(hostname -s)
    mkdir -m 700 "$work/key" "$work/munge"
    dd if=/dev/urandom of="$work/key/munge.key" bs=128 count=1 2>/dev/null
    chmod 400 "$work/key/munge.key"
    chmod 711 "$work/munge"
    munged --force --key-file "$work/key/munge.key" --socket "$work/munge/socket" \
        --pid-file "$work/munged.pid" --log-file "$work/munge/log" --seed-file "$work/munge/seed"
    mkdir "$work/state" "$work/spool"
    cat >"$work/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmctldPort=26817
SlurmdPort=26818
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    # The test needs no cgroups, but slurmd requires their version.
    if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
        echo "CgroupPlugin=cgroup/v2" >"$work/cgroup.conf"
    else
        echo "CgroupPlugin=cgroup/v1" >"$work/cgroup.conf"
    fi
    export SLURM_CONF="$work/slurm.conf"
    slurmctld || fail "slurmctld: $(tail -n 5 "$work/slurmctld.log")"
    slurmd || fail "slurmd: $(tail -n 5 "$work/slurmd.log")"
    wait_for sh -c "sinfo -h -o %t | grep -q idle"
}

# Submits an array of 8 shards, requeues the first one while it runs, and merges with a dependent job:
# killed_and_merged DIR SCRIPT ARGUMENTS...
killed_and_merged() {
    dir=$1
    script=$2
    shift 2
    mkdir "$dir"
    job=$(sbatch --parsable --array=1-8 -o "$dir.log" "scripts/slurm/$script.sbatch" "$dir" "$@")
    wait_for test -s "$dir/shard-1"
    scontrol requeue "${job}_1"
    # By default Slurm delays a requeued job by two minutes.
    wait_for scontrol update "JobId=${job}_1" StartTime=now
    sbatch --wait --dependency="afterok:$job" -o "$dir.merge.log" scripts/slurm/merge.sbatch \
        "$dir" "$dir.merged" || fail "$(cat "$dir.log" "$dir.merge.log")"
    grep -q . "$dir.merge.log"
}

# Overwrites a byte of a shard, with 0 and with a byte that no text contains. The merge must name the shard and
# write nothing; with --allow-missing it must join the rest.
damaged_is_named() {
    dir=$1
    for byte in 000 377; do
        damaged="$dir.damaged-$byte"
        cp -r "$dir" "$damaged"
        size=$(wc -c <"$damaged/shard-3")
        printf "\\$byte" | dd of="$damaged/shard-3" bs=1 seek=$((size - 60)) conv=notrunc 2>/dev/null
        if "$bot" merge "$damaged"/shard-* -o "$damaged.merged" 2>"$work/error"; then
            fail "merge accepted a damaged shard"
        fi
        grep -q "shard-3" "$work/error" || fail "merge does not name the damaged shard: $(cat "$work/error")"
        [ ! -e "$damaged.merged" ] || fail "merge wrote a file despite the damaged shard"
        "$bot" merge "$damaged"/shard-* -o "$damaged.merged" --allow-missing >/dev/null 2>"$work/error" ||
            fail "merge --allow-missing did not join the rest: $(cat "$work/error")"
    done
}

# Prints the moves of a record's games, in order, without fields that depend on the machine.
games_of() {
    sed -n 's/^.*"game":\([0-9]*\),.*"moves":\(\[[^]]*\]\).*$/\1 \2/p' "$1"
}

selfplay="selfplay --games 2000 --nodes 60 --seed 7"
versus="self:nodes=300 self:nodes=200 --games 160 --openings random:plies=6"

test_slurm() {
    for need in "sbatch slurm-client" "slurmctld slurmctld" "slurmd slurmd" "munged munge"; do
        # shellcheck disable=SC2086 # a program and its package
        if ! has $need; then
            echo "skipped: Slurm (${need% *} is missing and can't be installed)"
            return
        fi
    done
    start_slurm
    say "Slurm: self-play in 8 shards, one of them killed and requeued"
    killed_and_merged "$work/selfplay" selfplay ${selfplay#selfplay }
    cmp "$work/whole.gam" "$work/selfplay.merged" || fail "the merged file differs from the file of a single run"
    damaged_is_named "$work/selfplay"
    "$bot" merge "$work/selfplay"/shard-*
    say "Slurm: a match in 8 shards, one of them killed and requeued"
    # shellcheck disable=SC2086 # two players and options
    killed_and_merged "$work/match" match $versus
    games_of "$work/match.merged" >"$work/merged.games"
    games_of "$work/whole.jsonl" | cmp - "$work/merged.games" || fail "the games differ from the games of a single run"
    [ "$(wc -l <"$work/merged.games")" = 160 ] || fail "the record does not have 160 games"
    damaged_is_named "$work/match"
    "$bot" merge "$work/match"/shard-* | tail -n 1
    say "Slurm: rounds of a match until the SPRT is decided"
    mkdir "$work/rounds"
    verdict=$(cd "$work" && "$OLDPWD/scripts/slurm/match-until-decided.sh" "$work/rounds" 4 10 0 200 \
        self:nodes=400 self:nodes=20 --games 4000 --openings random:plies=6 | tail -n 1)
    [ "$verdict" = accepted ] || fail "verdict $verdict"
    games=$(cat "$work"/rounds/shard-* | grep -c '"type":"game"')
    [ "$games" -lt 4000 ] || fail "all games were played although the SPRT was decided"
    echo "decided after $games games"
}

test_parallel() {
    if ! has parallel parallel || ! has sshd openssh-server; then
        echo "skipped: GNU parallel over ssh (parallel or sshd is missing and can't be installed)"
        return
    fi
    mkdir -m 700 "$work/ssh"
    ssh-keygen -q -t ed25519 -N "" -f "$work/ssh/host"
    ssh-keygen -q -t ed25519 -N "" -f "$work/ssh/user"
    mkdir -p /run/sshd 2>/dev/null || true
    $(command -v sshd) -p 26822 -h "$work/ssh/host" -f /dev/null \
        -o "PidFile=$work/sshd.pid" -o ListenAddress=127.0.0.1 -o StrictModes=no \
        -o "AuthorizedKeysFile=$work/ssh/user.pub" -o PasswordAuthentication=no
    cat >"$work/ssh/config" <<END
Host *
HostName 127.0.0.1
Port 26822
IdentityFile $work/ssh/user
StrictHostKeyChecking accept-new
UserKnownHostsFile $work/ssh/known
LogLevel ERROR
END
    say "GNU parallel over ssh: self-play in 8 shards, with this machine as the remote host"
    # shellcheck disable=SC2086 # words
    scripts/parallel.sh "$work/parallel.gam" 8 -j 2 --sshdelay 0.1 \
        -S "ssh -F $work/ssh/config one" -- $selfplay || fail "parallel.sh"
    cmp "$work/whole.gam" "$work/parallel.gam" || fail "the merged file differs from the file of a single run"
}

say "a single run, for comparison"
# shellcheck disable=SC2086 # words
"$bot" $selfplay -o "$work/whole.gam"
# shellcheck disable=SC2086 # words
"$bot" match $versus --record "$work/whole.jsonl" | tail -n 1
test_slurm
test_parallel
say "all tests passed"
