
# True where a flag of the program is typed; with the name of one, where its value is.
function __fish_performance_prophet_of_program
    set -l words (commandline -opc)
    contains -- -- $words
    or return
    if set -q argv[1]
        test "$words[-1]" = "--$argv[1]"
    else
        string match -q -- '-*' (commandline -ct)
    end
end

