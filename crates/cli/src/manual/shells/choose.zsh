# Completes the flags of the program behind `--`, and those of the commands before it.
_performance-prophet() {
    local -i at=${words[(i)--]}
    if ((at < CURRENT)); then
        words=(performance-prophet-program "${(@)words[at+1,-1]}")
        ((CURRENT -= at - 1))
        _performance-prophet-program
    else
        _performance-prophet-commands
    fi
}

if [ "$funcstack[1]" = "_performance-prophet" ]; then
    _performance-prophet "$@"
else
    compdef _performance-prophet performance-prophet
fi
