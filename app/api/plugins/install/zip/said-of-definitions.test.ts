import { describe, expect, test } from 'vitest'
import type { InstallPreview } from '@/lib/plugins/plan-contract'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { install, upload } from '../../testing/plugin-api'

const deps = freshDeps()

type Property = { name: string; type: string; [rule: string]: unknown }
const text = (name: string, rules: object = {}): Property => ({ name, type: 'string', ...rules })

const shop = (properties: Property[], records: object[] = [], entity: object = {}) =>
  pluginFiles({
    EngineEntities: { files: { 'Customer.json': { name: 'Customer', ...entity } } },
    EngineSchemas: { files: { 'Customer.json': { name: 'Customer', properties } } },
    Customer: {
      files: { 'data.json': records },
      manifest: { target: 'Customer', insertDuplicate: 'Upsert' },
    },
  })

/** What a plan says about the files of definitions, which the log of the install must repeat. */
async function said(files: Record<string, unknown>) {
  const plan: InstallPreview = (await upload(deps, files, { query: '?dryRun=true' })).body.data.plan
  const { logs } = await install(deps, files)
  const texts = ({ changes, warnings }: { changes: string[]; warnings: { message: string }[] }) => [
    ...changes,
    ...warnings.map(({ message }) => message),
  ]
  const planned = plan.files.flatMap(texts)
  expect(logs.flatMap(texts)).toEqual(planned)
  return planned
}

const CUSTOMERS = [
  { id: 1, name: 'Ann', company: 'Acme' },
  { id: 2, name: 'Ben', company: 'Bolt' },
]
const GUESS =
  'company is no longer served, 2 values stay hidden; organisation is new and empty. If it is a new name, declare "renamedFrom": "company" for organisation'

describe('a plan says', () => {
  test('that a hidden property and a new, empty one may be one that was renamed', async () => {
    await install(deps, shop([text('name'), text('company')], CUSTOMERS))
    const lines = await said(
      shop([text('name'), { name: 'since', type: 'date' }, text('organisation')]),
    )
    expect(lines).toContain(GUESS)
    expect(lines).toContain('Stop serving company of entities.customer; its 2 values are kept')
  })

  test.each<[string, Property[]]>([
    ['has another type', [{ name: 'organisation', type: 'integer' }]],
    ['has values', [text('organisation', { default: 'none' })]],
    ['says its former name', [text('organisation', { renamedFrom: 'company' })]],
  ])('nothing of the kind when the new property %s', async (_, properties) => {
    await install(deps, shop([text('name'), text('company')], CUSTOMERS))
    const lines = await said(shop([text('name'), ...properties]))
    expect(lines.filter((line) => line.includes('new and empty'))).toEqual([])
  })

  test('which definitions the new version lacks, and which entity may be renamed', async () => {
    const version = (names: string[], policies: string[]) =>
      pluginFiles({
        EngineEntities: {
          files: Object.fromEntries(names.map((name) => [`${name}.json`, { name }])),
        },
        EnginePolicies: {
          files: {
            'all.json': policies.map((name) => ({
              name,
              principals: ['Clerk'],
              entities: ['Order'],
              actions: ['read'],
            })),
          },
        },
      })
    await install(deps, version(['Order', 'Chapter'], ['read', 'more']))
    expect(await said(version(['Order', 'Section'], ['read']))).toEqual(
      expect.arrayContaining([
        'The archive no longer defines the entity "Chapter", which stays installed with its records. If "Section" is its new name, declare "renamedFrom": "Chapter" for it',
        'The archive no longer defines the policy "more", which stays in force',
      ]),
    )
  })

  test('nothing about definitions in an archive without any, or of other plugins', async () => {
    await install(deps, shop([text('name')]))
    const data = pluginFiles({ Customer: { files: { 'data.json': [{ id: 1 }] } } })
    expect(await said(data)).toEqual([])
    const other = { id: 'com.example.other' }
    const files = pluginFiles({ EngineEntities: { files: { 'A.json': { name: 'A' } } } }, other)
    expect((await said(files)).filter((line) => line.includes('no longer'))).toEqual([])
  })

  test('what changes for those who use an entity', async () => {
    await install(deps, shop([text('name')]))
    const lines = await said(
      shop([text('name')], [], {
        permissions: { write: false },
        insertDuplicate: 'Upsert',
        updateStrategy: 'Replace',
      }),
    )
    expect(lines).toEqual([
      'No longer permit the action "write" on the records of Customer',
      'Change insertDuplicate of Customer from Error to Upsert',
      'Change updateStrategy of Customer from Upsert to Replace',
    ])
  })
})
