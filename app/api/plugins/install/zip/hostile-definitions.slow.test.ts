import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { HOSTILE_JSON } from '@/app/api/testing/hostile/values'
import { rows } from '@/lib/db/sql'
import { FUZZ_ROUNDS } from '@/lib/testing/budget'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { install } from '../../testing/hostile-files'

const deps = currentDeps()
/** Definitions in one archive, whose files are installed one by one. */
const FILES = 60

/** Definitions that use everything, with a name of their own. */
const DEFINITIONS: Record<string, (name: string) => object> = {
  EngineTypes: (name) => ({
    name,
    baseType: 'string',
    description: 'a',
    meta: { maxLength: 10, pattern: '^a', enum: ['a'] },
  }),
  EngineSchemas: (name) => ({
    name,
    description: 'a',
    additionalProperties: true,
    unique: [{ fields: ['a', 'b'], name: 'together' }],
    properties: [
      {
        name: 'a',
        type: 'string',
        required: true,
        unique: true,
        maxLength: 10,
        default: 'a',
        title: 'A',
      },
      { name: 'b', type: 'integer', indexed: true, min: 0, max: 9, renamedFrom: 'c', enum: [1, 2] },
      { name: 'd', type: 'integer', reference: { entity: name, field: 'id', enforced: true } },
      { name: 'e', type: 'string', computed: "concat(a, '!')" },
    ],
  }),
  EngineEntities: (name) => ({
    name,
    description: 'a',
    dbTable: name.toLowerCase(),
    pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }],
    insertDuplicate: 'Upsert',
    updateStrategy: 'Replace',
    auditable: true,
    history: true,
    openForWrite: true,
    openForDelete: true,
    indexes: [{ fields: ['id'], unique: true }],
    renamedFrom: 'Former',
  }),
  EngineRoles: (name) => ({ name, description: 'a' }),
  EnginePolicies: (name) => ({
    name,
    principals: ['*'],
    entities: ['*'],
    actions: ['read'],
    effect: 'allow',
    priority: 1,
  }),
}

/** The JSON text of a value with `json` in each of its places in turn; also as the name of one more property. */
function* placesIn(value: unknown): Generator<(json: string) => string> {
  yield (json) => json
  if (typeof value !== 'object' || value === null) return
  const isList = Array.isArray(value)
  const members = Object.entries(value)
  const written = (at: number, text: string) => {
    const parts = members.map(([name, member], index) => {
      const said = index === at ? text : JSON.stringify(member)
      return isList ? said : `${JSON.stringify(name)}:${said}`
    })
    return isList ? `[${parts}]` : `{${parts}}`
  }
  for (const [at, [, member]] of members.entries())
    for (const fill of placesIn(member)) yield (json) => written(at, fill(json))
  if (!isList) yield (json) => `${JSON.stringify(value).slice(0, -1)},${nameOf(json)}:1}`
}

const nameOf = (json: string) => (json.startsWith('"') ? json : JSON.stringify(json.slice(0, 200)))

/** Entities without their table, and tables without an entity. */
const halfMade = () =>
  rows(
    deps.db,
    sql`select e.name, c.relname from engine.entities e
        full join (select relname from pg_class where relnamespace = 'entities'::regnamespace and relkind = 'r') c
          on c.relname = e.table_name
        where e.name is null or c.relname is null`,
  )

beforeAll(() => testDeps())

test.each(Object.keys(DEFINITIONS))(
  '%s with anything anywhere fail with words or are installed whole',
  async (folder) => {
    const { own, naughty } = HOSTILE_JSON
    const sound = DEFINITIONS[folder]
    if (!sound) throw new Error(folder)
    const places = [...placesIn(sound('Sound'))]
    const values = [...own, ...naughty]
    for (let round = 0; round < FUZZ_ROUNDS; round++) {
      const files = Object.fromEntries(
        Array.from({ length: FILES }, (_, at) => {
          const fill = [...placesIn(sound(`Thing${round}x${at}`))][at % places.length]
          return [
            `${at}.json`,
            fill?.(values[(round * FILES + at * 7) % values.length] ?? '') ?? '',
          ]
        }),
      )
      const logs = (await install({ [folder]: { files } })).filter(
        ({ path }) => path.startsWith(`${folder}/`) && !path.endsWith('/Note.json'),
      )
      expect(logs).toHaveLength(FILES)
      for (const { path, status, error, details } of logs) {
        const text = files[path.split('/')[1] ?? '']?.slice(0, 500)
        const words = JSON.stringify([error, details])
        expect.soft({ text, words }).toEqual({
          text,
          words: expect.not.stringMatching(/Internal|unexpected|TypeError|syntax error/),
        })
        if (status === 'failed')
          expect.soft({ text, error }).toEqual({ text, error: expect.any(String) })
      }
      expect(await halfMade()).toEqual([])
    }
  },
)
