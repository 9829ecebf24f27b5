"""What runs inside the sandbox: it knows numpy, the wire and the learner's files, and no answer.

Of this project it may import ``grader.protocol`` alone, and nothing outside imports it: the judge starts it as a
program. The first process is the zygote (``__main__``), which imports numpy once and forks a child for every
exercise; the child (``child``) confines itself (``confine``), loads the files (``loading``) and answers calls.
"""
