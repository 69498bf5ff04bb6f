import fc from 'fast-check'

// The same examples in every run, so that a change is judged by what it changes. `PROPERTY_SEED=$RANDOM` looks for others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_127) })
