#!/bin/sh
# Submits arrays of a match until the SPRT is decided or all games are played:
#
#   scripts/slurm/match-until-decided.sh DIR SHARDS GAMES_A_ROUND ELO0 ELO1 A B --games N ...
#
# Each round every shard plays GAMES_A_ROUND games more (an even number). The last line is the verdict:
# accepted, rejected or undecided.
set -eu
if [ $# -lt 7 ]; then
    echo "usage: $0 DIR SHARDS GAMES_A_ROUND ELO0 ELO1 A B --games N ..." >&2
    exit 2
fi
dir=$1
shards=$2
games=$3
elo0=$4
elo1=$5
shift 5
here=$(dirname "$0")
bot=${CUPBOT:-cupbot}
while true; do
    sbatch --wait --array=1-"$shards" "$here/match.sbatch" "$dir" "$@" --stop-after "$games"
    state=$("$bot" progress "$dir" --sprt "$elo0" "$elo1" --json)
    verdict=$(echo "$state" | sed -n 's/^ *"verdict": "\(.*\)",*$/\1/p')
    "$bot" progress "$dir" --sprt "$elo0" "$elo1" >&2
    case $verdict in
    accepted | rejected) break ;;
    esac
    # Complete: no shard is in another state.
    if ! echo "$state" | grep '"state":' | grep -qv complete; then
        break
    fi
done
echo "$verdict"
