import fc from 'fast-check'

/** What an install is asked to do. */
export type Choices = {
  onConflict: 'keep' | 'take' | 'fail'
  removed: 'keep' | 'delete'
  deleted: 'keep' | 'restore'
  mode: 'partial' | 'atomic'
}

const KINDS = {
  change: 5,
  'change by SQL': 2,
  delete: 5,
  'delete by SQL': 1,
  create: 2,
  empty: 2,
  'empty by SQL': 1,
  upgrade: 10,
  'install again': 3,
  'rename entity': 1,
  'rename entity and folder': 2,
  'refuse definition': 3,
  'uninstall and keep': 2,
} as const

/** What happens to one record of a data file in a new version. */
export type RecordChange = { kind: 'change' | 'add' | 'remove'; file: number; pick: number }

/** `entity`, `at` and `pick` choose among what there is when the step is done. */
export type Step = {
  kind: keyof typeof KINDS
  entity: number
  at: number
  pick: number
  changes: RecordChange[]
  choices: Choices
  /** The install is tried before it is done. */
  isPlanned: boolean
  /** The install is rolled back, once or with that taken back. */
  rollbacks: 0 | 1 | 2
}

/** The life of a plugin whose records are in several files, with what people do meanwhile. */
export type Story = {
  /** The field `no`, by which people know a record, is declared as unique. */
  isUnique: boolean
  /** Data files are read in parts. */
  isBig: boolean
  strategy: 'Upsert' | 'Replace'
  steps: Step[]
}

const oneOf = fc.constantFrom
const kind = fc.oneof(
  ...Object.entries(KINDS).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name as Step['kind']),
  })),
)
const change: fc.Arbitrary<RecordChange> = fc.record({
  kind: oneOf<RecordChange['kind']>('change', 'change', 'add', 'remove'),
  file: fc.nat(2),
  pick: fc.nat(40),
})
const step: fc.Arbitrary<Step> = fc.record({
  kind,
  entity: fc.nat(1),
  at: fc.nat(9),
  pick: fc.nat(40),
  changes: fc.array(change, { maxLength: 6 }),
  choices: fc.record({
    onConflict: oneOf<Choices['onConflict']>('keep', 'keep', 'take', 'take', 'fail'),
    removed: oneOf<Choices['removed']>('keep', 'delete'),
    deleted: oneOf<Choices['deleted']>('keep', 'keep', 'keep', 'restore'),
    mode: oneOf<Choices['mode']>('partial', 'partial', 'atomic'),
  }),
  isPlanned: fc.boolean(),
  rollbacks: oneOf<Step['rollbacks']>(0, 0, 0, 0, 1, 2),
})

export const randomStory: fc.Arbitrary<Story> = fc.record({
  isUnique: fc.boolean(),
  isBig: oneOf(false, false, false, false, false, false, false, true),
  strategy: oneOf<Story['strategy']>('Upsert', 'Upsert', 'Replace'),
  steps: fc.array(step, { minLength: 2, maxLength: 10, size: 'max' }),
})
