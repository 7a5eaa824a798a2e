# Completes the flags of the program behind `--`, and those of the commands before it.
_performance_prophet_choose() {
    local at
    for ((at = 1; at < COMP_CWORD; at++)); do
        if [[ ${COMP_WORDS[at]} == -- ]]; then
            COMP_WORDS=(performance_prophet_program "${COMP_WORDS[@]:at+1}")
            COMP_CWORD=$((COMP_CWORD - at))
            _performance_prophet_program performance_prophet_program "$2" "$3"
            return
        fi
    done
    _performance_prophet "$@"
}

complete -F _performance_prophet_choose -o bashdefault -o default performance-prophet
