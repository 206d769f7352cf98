import { AppError } from '@/lib/errors'
import { type EngineClient, listAt } from './engine-client'

/** Entity → filter as in the URL of a search. */
export type Conditions = Readonly<Record<string, string>>

type Entity = { name: string; keys: { key: string }[] }

/** The keys of the records of each entity that match its filter. Throws `invalid_input` for an entity that is not there. */
export async function matchingKeys(client: EngineClient, where: Conditions): Promise<MatchingKeys> {
  const matching: MatchingKeys = new Map()
  if (Object.keys(where).length === 0) return matching
  const entities = (await listAt(client, '/api/entities')) as Entity[]
  for (const [name, filter] of Object.entries(where)) {
    const entity = entities.find((one) => one.name === name)
    if (!entity)
      throw new AppError('invalid_input', `The source has no entity "${name}" to choose records of`)
    const names = entity.keys.map(({ key }) => key)
    const path = `/api/entities/${encodeURIComponent(name)}`
    const query = { filter, fields: names.join(','), sort: names.join(',') }
    const found = await client.all<Record<string, unknown>>(path, query)
    matching.set(name, { names, keys: new Set(found.map((record) => keyOf(names, record))) })
  }
  return matching
}

export type MatchingKeys = Map<string, { names: readonly string[]; keys: ReadonlySet<string> }>

const keyOf = (names: readonly string[], record: Record<string, unknown>) =>
  JSON.stringify(names.map((name) => record[name] ?? null))

/** A data file, which has a record on each line, with those alone that match. */
export function onlyMatching(
  bytes: Uint8Array,
  { names, keys }: { names: readonly string[]; keys: ReadonlySet<string> },
): Uint8Array {
  const lines = Buffer.from(bytes)
    .toString()
    .split('\n')
    .map((line) => line.replace(/,$/, ''))
    .filter((line) => line.startsWith('{'))
    .filter((line) => keys.has(keyOf(names, JSON.parse(line))))
  return Buffer.from(`[\n${lines.join(',\n')}\n]\n`)
}
