import { parseArgs } from 'node:util'

export type Options = {
  /** Names of the cases to measure; empty: all. */
  cases: string[]
  connections: number[]
  rounds: number
  /** Of one round of one server. */
  seconds: number
  /** Cost growth from 10 thousand to 1 million records, instead of the comparison. */
  scale: boolean
  /** Time of a start, memory after many requests, and two workers, instead of the comparison. */
  process: boolean
  /** What each stage of a request costs, instead of the comparison. */
  stages: boolean
  /** How soon changes arrive, and what those who wait for them cost, instead of the comparison. */
  events: boolean
  /** Text search and places among a million records, instead of the comparison. */
  finding: boolean
  /** Whether Directus is measured too. */
  hasPeer: boolean
  /** Whether commits wait for the disk, as they do by default. */
  isDurable: boolean
  /** Whether `bench/results.md` is written: for a run of all cases. */
  writesResults: boolean
}

const USAGE = `npm run bench:http -- [options]
  --case page,create    only these cases
  --connections 1,16    default: 1, 16 and 64; with --quick 16
  --quick               3 rounds of 0.7 s instead of 5 of 1.5 s
  --rounds 7            rounds of each case
  --scale               how cost grows from 10 thousand to 1 million records
  --process             start, memory, and how much faster two workers are
  --stages              what each stage of a request costs, of get or of the first case that is named
  --events              how soon changes arrive, and what 1,000 idle streams of them cost
  --finding             text search and places among a million records
  --peer directus       ours to Directus too, installed from the registry
  --no-fsync            commits don't wait for the disk
`

/** The options of the command line; ends the process with their description on `--help`. */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      case: { type: 'string', default: '' },
      connections: { type: 'string' },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      scale: { type: 'boolean', default: false },
      process: { type: 'boolean', default: false },
      stages: { type: 'boolean', default: false },
      events: { type: 'boolean', default: false },
      finding: { type: 'boolean', default: false },
      peer: { type: 'string' },
      'no-fsync': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    process.exit(0)
  }
  const { quick } = values
  if (values.peer && values.peer !== 'directus') throw new Error('The only peer is directus')
  return {
    cases: list(values.case),
    connections: list(values.connections ?? (quick ? '16' : '1,16,64')).map(Number),
    rounds: Number(values.rounds ?? (quick ? 3 : 5)),
    seconds: quick ? 0.7 : 1.5,
    scale: values.scale,
    process: values.process,
    stages: values.stages,
    events: values.events,
    finding: values.finding,
    hasPeer: values.peer === 'directus',
    isDurable: !values['no-fsync'],
    writesResults: values.case === '' && !values['no-fsync'],
  }
}

const list = (text: string) => text.split(',').filter(Boolean)
