import { archiveOf, pluginFiles } from './archive'

/**
 * The story of a plugin in two versions, told over HTTP and in the browser: what people do between
 * them, and the records that are expected after each step.
 */
export const ID = 'com.example.crm'
export const NAME = 'Customers'
export const ENTITY = 'Customer'
export const COUNT = 10_000

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n)

/** By the people who work with the first version. */
export const EDITED = range(1, 20)
export const DELETED = range(21, 25)
export const ADDED = range(20_001, 20_005)
/** By the second version; eight of them were edited by people. */
export const CHANGED = [...range(13, 20), ...range(101, 392)]
export const REMOVED = range(9_991, 10_000)

type Customer = { id: number; tier: number; city: string; score: number; name: string | null }
export type State = Map<number, Customer & { note: string | null }>

export const editedCity = (id: number): string => `Edited ${id}`

const customer = (id: number): Customer => ({
  id,
  tier: id % 3,
  city: `City ${id % 50}`,
  score: id,
  name: `Company ${id}`,
})

const nextCustomer = (id: number): Customer =>
  CHANGED.includes(id) ? { ...customer(id), city: `Town ${id}`, score: -id } : customer(id)

/** In the first version the name is that of a company, later of an organisation. */
const named = (field: string, { name, ...record }: Customer) => ({ ...record, [field]: name })

/** A record that people add to the first version. */
export const added = (id: number) => named('company', customer(id))

function archive(version: string, properties: object[], records: object[]): Promise<Uint8Array> {
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  const files = pluginFiles(
    {
      EngineSchemas: { files: { 'Customer.json': { name: ENTITY, properties } } },
      EngineEntities: { files: { 'Customer.json': { name: ENTITY, pks } } },
      Customer: {
        manifest: { target: ENTITY, insertDuplicate: 'Upsert' },
        files: { 'data.json': records },
      },
    },
    { id: ID, name: NAME, version },
  )
  return archiveOf(files)
}

export const firstVersion = (): Promise<Uint8Array> =>
  archive(
    '1.0.0',
    [
      { name: 'company', type: 'string' },
      { name: 'tier', type: 'smallint' },
      { name: 'city', type: 'string' },
      { name: 'score', type: 'integer' },
    ],
    range(1, COUNT).map(added),
  )

/** A field is renamed, one is wider, one is new. */
export const secondVersion = (): Promise<Uint8Array> =>
  archive(
    '2.0.0',
    [
      { name: 'organisation', type: 'string', renamedFrom: 'company' },
      { name: 'tier', type: 'integer' },
      { name: 'city', type: 'string' },
      { name: 'score', type: 'integer' },
      { name: 'note', type: 'string', meta: { default: 'new' } },
    ],
    range(1, COUNT - REMOVED.length).map((id) => named('organisation', nextCustomer(id))),
  )

const copyOf = (state: State): State => new Map([...state].map(([id, one]) => [id, { ...one }]))

export const installedState = (): State =>
  new Map(range(1, COUNT).map((id) => [id, { ...customer(id), note: null }]))

/** After people have worked with the first version. */
export function editedState(): State {
  const state = installedState()
  for (const id of EDITED) state.set(id, { ...customer(id), city: editedCity(id), note: null })
  for (const id of DELETED) state.delete(id)
  for (const id of ADDED) state.set(id, { ...customer(id), note: null })
  return state
}

/** After the upgrade; `takes` names the records whose cities are the plugin's in spite of the edit. */
export function upgradedState(takes: (id: number) => boolean): State {
  const state = copyOf(editedState())
  for (const one of state.values()) one.note = 'new'
  for (const id of CHANGED) {
    const { city, score } = nextCustomer(id)
    const one = state.get(id)
    if (one) Object.assign(one, EDITED.includes(id) && !takes(id) ? { score } : { city, score })
  }
  for (const id of REMOVED) state.delete(id)
  return state
}

/** Stored records in the words of the second version. */
export const stateOf = (records: readonly Record<string, unknown>[]): State =>
  new Map(
    records.map(({ company, organisation, note = null, ...rest }) => {
      const name = organisation ?? company ?? null
      return [Number(rest.id), { ...rest, name, note } as never]
    }),
  )

/** The number of records that are otherwise than expected, and the first of them in words. */
export function unexplained(is: State, expected: State) {
  const ids = new Set([...is.keys(), ...expected.keys()])
  const found = [...ids].flatMap((id) => {
    const [a, b] = [is.get(id), expected.get(id)]
    const same = a && b && Object.keys(b).every((key) => a[key as never] === b[key as never])
    return same ? [] : [`${id}: ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`]
  })
  return { unexplained: found.length, first: found.slice(0, 3) }
}

export const NOTHING_UNEXPLAINED = { unexplained: 0, first: [] }
