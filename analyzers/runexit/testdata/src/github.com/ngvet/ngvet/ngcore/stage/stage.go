package stage

type Config struct{ HookBin string }
