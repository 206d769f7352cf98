import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { validateArchive } from './validate-archive'

const validate = (zip: Uint8Array) => validateArchive(zip, parseEnv({}))
const NAME = { name: 'name', type: 'string', required: true }
const shop = (parts: {
  entity?: object
  properties?: object[]
  records?: unknown
  type?: object
}) =>
  archiveOf(
    pluginFiles({
      ...(parts.type ? { EngineTypes: { files: { 'Iban.json': parts.type } } } : {}),
      EngineEntities: { files: { 'Shop.json': { name: 'Shop', ...parts.entity } } },
      EngineSchemas: {
        files: { 'Shop.json': { name: 'Shop', properties: parts.properties ?? [NAME] } },
      },
      Shop: { files: { 'data.json': parts.records ?? [{ name: 'A' }, { name: 'B' }] } },
    }),
  )

const statuses = ({ files }: Awaited<ReturnType<typeof validate>>) =>
  Object.fromEntries(
    files.map(({ path, status, error }) => [path, error ? `${status}: ${error}` : status]),
  )

describe('an archive', () => {
  test('that is sound is valid, and its records are counted', async () => {
    const found = await validate(await shop({}))
    expect(found).toMatchObject({ pluginId: 'com.example.shop', valid: true })
    expect(found.files.map(({ records }) => records)).toEqual([0, 0, 2])
  })

  test('that defines two names that differ in case only is refused for the second', async () => {
    const files = { 'A.json': { name: 'Shop' }, 'B.json': { name: 'SHOP' } }
    const found = await validate(await archiveOf(pluginFiles({ EngineEntities: { files } })))
    expect(statuses(found)).toEqual({
      'EngineEntities/A.json': 'valid',
      'EngineEntities/B.json': 'invalid: Invalid definition',
    })
    expect(found.files[1]?.details).toMatchObject([
      { message: '"SHOP" is defined in EngineEntities/A.json already' },
    ])
  })

  test.each<[string, Parameters<typeof shop>[0], Record<string, string>]>([
    [
      'a record without a required field',
      { records: [{ name: 'A' }, {}] },
      { 'Shop/data.json': 'invalid: Invalid record' },
    ],
    [
      'records that are no JSON',
      { records: '[{"name": "A",]' },
      { 'Shop/data.json': 'invalid: Invalid JSON' },
    ],
    [
      'an index of a field that there is not',
      { entity: { indexes: [{ fields: ['nope'] }] } },
      {
        'EngineEntities/Shop.json': 'invalid: Invalid definition',
        'Shop/data.json': 'unchecked: Missing dependency',
      },
    ],
    [
      'a schema from elsewhere',
      { entity: { engineSchema: 'Elsewhere' } },
      {
        'EngineEntities/Shop.json': 'unchecked: Missing dependency',
        'Shop/data.json': 'unchecked: Missing dependency',
      },
    ],
    [
      'a type without its base',
      { type: { name: 'Iban', baseType: 'nope' } },
      { 'EngineTypes/Iban.json': 'invalid: Invalid definition' },
    ],
  ])('with %s says so', async (_, parts, expected) => {
    const found = await validate(await shop(parts))
    expect(statuses(found)).toMatchObject(expected)
    expect(found.valid).toBe(!JSON.stringify(expected).includes('invalid'))
  })

  test('reports misspelt keys as warnings', async () => {
    const { valid, files } = await validate(
      await shop({ properties: [{ name: 'name', type: 'string', requierd: true }] }),
    )
    expect(valid).toBe(true)
    const [warning] = files.flatMap(({ warnings }) => warnings)
    expect(warning?.message).toContain('did you mean "required"?')
  })

  test('that is none is refused as the server refuses it', async () => {
    await expect(validate(Buffer.from('no archive'))).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})

const CORPUS = ['../shared', '../../shared']
  .map((shared) => join(shared, 'corpora/zip-yauzl'))
  .find(existsSync)
const corpus = CORPUS
  ? readdirSync(CORPUS, { recursive: true }).filter((name) => String(name).endsWith('.zip'))
  : []

test('archives that are no plugins are refused, and nothing else happens', async () => {
  for (const name of corpus)
    await expect(
      validate(readFileSync(join(CORPUS ?? '', String(name)))),
      String(name),
    ).rejects.toMatchObject({ name: 'AppError' })
})

test('the samples are valid, but for the one that shows faults', async () => {
  const read = (name: string) => validate(readFileSync(`public/samples/${name}.zip`))
  expect((await read('world-airports')).files.filter(({ status }) => status !== 'valid')).toEqual(
    [],
  )
  const broken = (await read('broken-example')).files.filter(({ status }) => status !== 'valid')
  expect(broken.map(({ path, error }) => [path, error])).toEqual([
    ['Invoice/data.json', 'Missing dependency'],
    ['Task/invalid-json.json', 'Invalid JSON'],
    ['Task/invalid-record.json', 'Invalid record'],
  ])
})
