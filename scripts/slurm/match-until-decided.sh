#!/bin/sh
# Submits arrays of a match until the SPRT is decided or all games are played:
#
#   scripts/slurm/match-until-decided.sh DIR SHARDS GAMES_A_ROUND ELO0 ELO1 A B --games N ...
#
# Each round, every shard plays GAMES_A_ROUND more games (an even number). The last line is the verdict:
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
    # Exit status 1: the SPRT rejects.
    report=$("$bot" merge "$dir"/shard-* --allow-missing --sprt "$elo0" "$elo1") || [ $? = 1 ]
    echo "$report" >&2
    case $report in
    *": accepted"*) verdict=accepted && break ;;
    *": rejected"*) verdict=rejected && break ;;
    esac
    "$bot" merge "$dir"/shard-* --sprt "$elo0" "$elo1" >/dev/null 2>&1 && verdict=undecided && break
done
echo "$verdict"
