import type { Field, RandomEntity, ShapeType } from './random-upgrade'

export const MUTATIONS = [
  'add field',
  'remove field',
  'rename field',
  'rename silently',
  'widen field',
  'widen key',
  'add rule',
  'drop rule',
  'compute field',
  'declare extra',
  'add record',
  'add record',
  'change record',
  'change record',
  'change record',
  'remove record',
  'remove record',
  'change option',
  'drop entity',
  'drop data',
  'add entity',
  'rename entity',
] as const
export type Mutation = {
  kind: (typeof MUTATIONS)[number]
  entity: number
  at: number
  pick: number
}

/** Applies mutations in turn to a copy; those that don't fit change nothing. */
export function mutate(first: readonly RandomEntity[], mutations: readonly Mutation[]) {
  let shapes = structuredClone(first) as RandomEntity[]
  const said: string[] = []
  for (const mutation of mutations) {
    const { kind, entity, at, pick } = mutation
    if (kind === 'add entity') shapes = withDelta(shapes)
    const shape = shapes[entity % Math.max(1, shapes.length)]
    if (!shape) continue
    said.push(`${kind} of ${shape.name} (${at}, ${pick})`)
    if (kind === 'drop entity') shapes = shapes.filter((one) => one !== shape)
    else change(shape, mutation)
  }
  return { shapes, said }
}

const choose = <T>(list: readonly T[], at: number): T | undefined =>
  list[at % Math.max(1, list.length)]

const SAMPLES: Record<ShapeType, unknown[]> = {
  string: ['a', 'b', '1', '2', 'c'],
  smallint: [1, 2, 3],
  integer: [1, 2, 3, 40_000],
  decimal: [1, 1.5, '2.50'],
  date: ['2024-01-01', '1999-12-31'],
  datetime: ['2024-01-01T10:00:00Z'],
  json: [1, [1], { a: 2 }],
}
const WIDER: Partial<Record<ShapeType, ShapeType[]>> = {
  smallint: ['integer', 'decimal', 'string', 'json'],
  integer: ['decimal', 'string'],
  decimal: ['string'],
  date: ['datetime', 'string'],
  datetime: ['string'],
  string: ['json'],
}

function change(shape: RandomEntity, { kind, at, pick }: Mutation): void {
  const field = choose(shape.fields, at)
  const records = shape.records ?? []
  const sample = (type: ShapeType) => choose(SAMPLES[type], pick)
  if (kind === 'add field') addField(shape, at, pick)
  if (kind === 'remove field') shape.fields = shape.fields.filter((one) => one !== field)
  if (kind === 'rename field' && field) rename(shape, field, true)
  if (kind === 'rename silently' && field) rename(shape, field, false)
  if (kind === 'widen field' && field) widen(field, pick)
  if (kind === 'widen key')
    shape.pks = shape.pks.map((one) => (one.strategy === 'UUID' ? one : { ...one, type: 'string' }))
  if (kind === 'add rule' && field)
    field.meta = {
      ...field.meta,
      ...choose([{ required: true }, { unique: true }, { indexed: true }], pick),
    }
  if (kind === 'drop rule' && field) field.meta = {}
  if (kind === 'compute field' && field && !shape.fields.some(({ name }) => name === 'total'))
    shape.fields.push({
      name: 'total',
      type: 'string',
      meta: {},
      computed: `concat(${field.name}, '!')`,
    })
  if (kind === 'declare extra' && !shape.fields.some(({ name }) => name === 'extra'))
    shape.fields.push({
      name: 'extra',
      type: choose(['string', 'json'] as const, pick) ?? 'json',
      meta: {},
    })
  if (kind === 'add record' && shape.records) shape.records.push(newRecord(shape, at, pick))
  if (kind === 'remove record') records.splice(at % Math.max(1, records.length), 1)
  if (kind === 'change record' && field && !field.computed) {
    const found = choose(records, pick)
    if (found) found[field.name] = field.meta.reference ? 1 + (pick % 3) : sample(field.type)
  }
  if (kind === 'change option') changeOption(shape, pick)
  if (kind === 'drop data') shape.records = null
  if (kind === 'rename entity' && !shape.renamedFrom && shape.name !== 'Delta') {
    shape.renamedFrom = shape.name
    shape.name = `${shape.name}Next`
    shape.manifest = { ...shape.manifest, target: shape.name }
  }
}

function addField(shape: RandomEntity, at: number, pick: number): void {
  const name = choose(['s', 't', 'p', 'q'], at) as string
  if (shape.fields.some((one) => one.name === name)) return
  const type = choose(['string', 'smallint', 'integer', 'date'] as const, pick) ?? 'string'
  const preset = pick % 2 === 0 ? { default: SAMPLES[type][0] } : {}
  const required = pick % 5 === 0 ? { required: true } : {}
  shape.fields.push({ name, type, meta: { ...preset, ...required } })
  if (pick % 3 === 0) for (const one of shape.records ?? []) one[name] = choose(SAMPLES[type], pick)
}

function rename(shape: RandomEntity, field: Field, isDeclared: boolean): void {
  const to = `${field.name}Next`
  if (shape.fields.some(({ name }) => name === to)) return
  for (const one of shape.records ?? []) {
    if (!(field.name in one)) continue
    one[to] = one[field.name]
    delete one[field.name]
  }
  for (const other of shape.fields)
    if (other.computed)
      other.computed = other.computed.replace(new RegExp(`\\b${field.name}\\b`), to)
  if (isDeclared) field.renamedFrom = field.name
  field.name = to
}

function widen(field: Field, pick: number): void {
  const type = choose(WIDER[field.type] ?? [], pick)
  if (!type || field.computed || field.meta.reference) return
  field.type = type
  const { default: _, ...meta } = field.meta
  field.meta = type === 'json' ? {} : meta
}

function newRecord(
  { pks, fields }: RandomEntity,
  at: number,
  pick: number,
): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const { key, strategy, type } of pks)
    if (strategy === 'Fixed' || (strategy === 'AutoIncrement' && pick % 2 === 0))
      found[key] = type === 'string' ? String(at + 3) : at + 3
  for (const { name, type, computed, meta } of fields)
    if (!computed) found[name] = meta.reference ? 1 : choose(SAMPLES[type], pick)
  return found
}

function changeOption(shape: RandomEntity, pick: number): void {
  const options = [
    () => (shape.rules = { ...shape.rules, updateStrategy: 'Replace' }),
    () => (shape.rules = { ...shape.rules, auditable: true }),
    () => (shape.manifest = { ...shape.manifest, insertDuplicate: 'Upsert' }),
    () => (shape.manifest = { ...shape.manifest, onConflict: 'take' }),
    () => (shape.open = !shape.open),
    () =>
      (shape.rules = {
        ...shape.rules,
        unique: [{ fields: shape.fields.slice(0, 2).map(({ name }) => name) }],
      }),
  ]
  choose(options, pick)?.()
}

function withDelta(shapes: RandomEntity[]): RandomEntity[] {
  if (shapes.some(({ name }) => name === 'Delta')) return shapes
  const target = shapes[0]?.name ?? 'Delta'
  return [
    ...shapes,
    {
      name: 'Delta',
      fields: [
        { name: 'p', type: 'string', meta: { unique: true } },
        { name: 'q', type: 'integer', meta: { reference: { entity: target, field: 'id' } } },
      ],
      pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }],
      rules: {},
      open: true,
      manifest: { target: 'Delta', insertDuplicate: 'Upsert' },
      records: [{ p: 'a' }, { p: 'b', q: 1 }],
    },
  ]
}
