#!/bin/sh
# Plays the shards of a run with GNU parallel, on this machine or on others over ssh, and merges them.
#
#   scripts/parallel.sh FILE SHARDS [OPTIONS OF PARALLEL] -- selfplay --games N ...
#   scripts/parallel.sh FILE SHARDS -S one,two -- match A B --games N ...
#
# FILE is the merged file, FILE.shards the folder of the shards. After an interruption, the same command
# resumes them. Other machines (-S) need the binary ($CUPBOT, or cupbot on the path) and the folder
# under the same paths.
set -eu

# Quotes a word for the shell.
quoted() {
    printf "'%s' " "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

if [ $# -lt 4 ]; then
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
file=$1
shards=$2
shift 2
options=
while [ "$1" != -- ]; do
    options="$options$(quoted "$1")"
    shift
    if [ $# = 0 ]; then
        echo "$0: missing -- before the command" >&2
        exit 2
    fi
done
shift
bot=$(command -v "${CUPBOT:-cupbot}") || {
    echo "$0: no program ${CUPBOT:-cupbot}: set CUPBOT" >&2
    exit 2
}
mkdir -p "$file.shards"
dir=$(cd "$file.shards" && pwd)
command="cd $(quoted "$PWD")&& $(quoted "$bot")"
is_match=no
for word in "$@"; do
    command="$command$(quoted "$word")"
    case $word in
    match | tournament) is_match=yes ;;
    esac
done
shard="'$dir/shard-'{}"
if [ $is_match = yes ]; then
    # An existing record is resumed.
    command="$command --record $shard \$(test -e $shard && echo --resume)"
else
    command="$command -o $shard --resume"
fi
eval "seq \"\$shards\" | parallel $options --halt soon,fail=1 \"\$command --shard {}/\$shards\""
exec "$bot" merge "$dir"/shard-* -o "$file"
