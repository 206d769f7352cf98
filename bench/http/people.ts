import type { JsonObject } from '@/lib/values/json'
import { type Files, writeZip } from '@/scripts/samples/write-zip'

export const PEOPLE = 100_000

const FIRST = ['Ada', 'Alan', 'Barbara', 'Dennis', 'Edsger', 'Frances', 'Grace', 'John', 'Ken']
const LAST = ['Anderson', 'Backus', 'Hopper', 'Johnson', 'Kay', 'Lovelace', 'Nilsson', 'Peterson']

const SCHEMA: JsonObject = {
  name: 'Person',
  properties: [
    { name: 'name', type: 'string', meta: { indexed: true, searchable: true } },
    { name: 'email', type: 'email' },
    { name: 'age', type: 'integer', meta: { indexed: true } },
    { name: 'score', type: 'double' },
    { name: 'active', type: 'boolean' },
    { name: 'joined', type: 'datetime', meta: { indexed: true } },
    { name: 'city', type: 'string', meta: { indexed: true } },
  ],
}

/** Without its key. `joined` differs for each of the first 100,000, in an order unlike that of `n`. */
export const person = (n: number) => ({
  name: `${pick(FIRST, n)} ${pick(LAST, Math.floor(n / FIRST.length))} ${n}`,
  email: `person.${n}@example.com`,
  age: Math.floor(n / 100) % 90,
  score: n / 7,
  active: n % 3 === 0,
  joined: new Date(Date.UTC(2020, 0, 1) + ((n * 7919) % 100_003) * 60_000).toISOString(),
  city: `City ${n % 100}`,
})

/** An archive that defines entities, all alike, each with `count` records; those of `followed` keep events. */
export function peopleArchive(
  entities: string[],
  count: number,
  { id = 'com.example.people', followed = [] }: { id?: string; followed?: string[] } = {},
): Promise<Uint8Array> {
  const records = Array.from({ length: count }, (_, index) => person(index + 1))
  const files: Files = {
    'engineplugin.json': { id, name: 'People', version: '1.0.0' },
    'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
    'EngineSchemas/__manifest__.json': { target: 'EngineSchemas' },
    'EngineSchemas/Person.json': SCHEMA,
  }
  for (const name of entities) {
    const events = followed.includes(name)
    files[`EngineEntities/${name}.json`] = { name, engineSchema: 'Person', events }
    files[`${name}/__manifest__.json`] = { target: name }
    files[`${name}/data.json`] = records
  }
  return writeZip(files)
}

const pick = (texts: string[], n: number) => texts[n % texts.length] ?? ''
