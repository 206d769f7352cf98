import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { zip } from '@/lib/testing/zip'
import { install, upload, verdicts } from '../../testing/plugin-api'
import { POST } from './route'

const deps = freshDeps({ MAX_ENTRIES: '20', MAX_UNPACKED_BYTES: '20000', MAX_ENTRY_BYTES: '9000' })

const PLUGIN = { name: 'engineplugin.json', content: '{"id":"com.example.shop"}' }
const archive = (...members: Parameters<typeof zip>[0]) => zip([PLUGIN, ...members])
const many = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `f${at}`, content: 'x'.repeat(bytes) }))
const plugin = (engineplugin: unknown) =>
  archiveOf({ 'engineplugin.json': engineplugin, 'A/__manifest__.json': '{}', 'A/a.json': '{}' })

test.each<[string, () => Uint8Array | Promise<Uint8Array>, number, RegExp]>([
  ['a name that leads out', () => archive({ name: '../a.json', content: '{}' }), 400, /leads out/],
  ['an absolute name', () => archive({ name: '/a.json', content: '{}' }), 400, /absolute/],
  ['a drive in a name', () => archive({ name: 'C:/a.json', content: '{}' }), 400, /absolute/],
  ['a backslash in a name', () => archive({ name: 'a\\b.json', content: '{}' }), 400, /backslash/],
  [
    'U+0000 in a name',
    () => archive({ name: 'a\0.json', content: '{}' }),
    400,
    /control|invisible/,
  ],
  ['a name twice', () => archive(...many(1, 1), ...many(1, 1)), 400, /twice/],
  ['names that differ in case', () => archive({ name: 'a' }, { name: 'A' }), 400, /same name/],
  [
    'a symbolic link',
    () => archive({ name: 'a', attributes: 0o120777 * 65536 }),
    400,
    /symbolic link/,
  ],
  ['encryption', () => archive({ name: 'a', content: 'x', flags: 1 }), 400, /encrypted/],
  ['too many entries', () => archive(...many(21, 1)), 413, /at most 20|more than 20/],
  ['an entry too large', () => archive(...many(1, 9001)), 413, /at most 8\.8 KiB/],
  ['too much unpacked', () => archive(...many(3, 8000)), 413, /unpacks to more/],
  ['too deep folders', () => archive({ name: `${'d/'.repeat(17)}a.json` }), 400, /levels deep/],
  [
    'a changed byte',
    () => archive({ name: 'a', content: 'x', central: { crc: 1 }, local: { crc: 1 } }),
    400,
    /match/,
  ],
  ['an engineplugin.json that is a list', () => plugin([]), 400, /must be a JSON object/],
  [
    'a variable that loses digits',
    () =>
      plugin('{"id":"a.b","name":"B","version":"1","variables":{"of":{"n":[9007199254740993]}}}'),
    400,
    /engineplugin\.json is invalid: it must give the number 9007199254740993 in "variables" as text/,
  ],
  [
    'a key of its own, used as a variable, that loses digits',
    () => plugin('{"id":"a.b","name":"B","build":{"of":[1,0.12345678901234567891]}}'),
    400,
    /engineplugin\.json is invalid: it must give the number 0\.12345678901234567891 in "build" as text/,
  ],
  [
    'a name that cannot be stored',
    () => plugin('{"id":"com.example.shop","name":"\\ud800"}'),
    400,
    /name: Contains/,
  ],
  [
    'a variable that cannot be stored',
    () => plugin('{"id":"com.example.shop","variables":{"a":"\\u0000"}}'),
    400,
    /variables\.a: Contains/,
  ],
  [
    'two plugins',
    () => archiveOf({ 'a/engineplugin.json': {}, 'b/engineplugin.json': {} }),
    400,
    /2 top folders/,
  ],
])('%s is refused with two fields, and nothing is written', async (_, make, status, error) => {
  const response = await upload(deps, await make())
  expect(response.body).toEqual({ status, error: expect.stringMatching(error) })
  expect(response.status).toBe(status)
  expect(await rows(deps.db, sql`select 1 from engine.plugins`)).toEqual([])
  expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
})

test('several files are refused', async () => {
  const form = uploadOf(await plugin({ id: 'com.example.shop' }))
  form.append('file', new File(['x'], 'b.zip'))
  const path = '/api/plugins/install/zip'
  const { body } = await call(deps, POST, { method: 'POST', path, body: form, as: 'ADMIN' })
  expect(body).toEqual({ status: 400, error: 'Send one file, not several' })
})

test('insertDuplicate of the manifest is case-insensitive, as in definitions', async () => {
  const files = pluginFiles({
    EngineEntities: { files: { 'A.json': { name: 'Aa' } } },
    Aa: { manifest: { target: 'Aa', insertDuplicate: 'upsert' }, files: { 'd.json': { id: 1 } } },
  })
  await install(deps, files)
  expect(verdicts((await install(deps, files)).logs)).toMatchObject({ 'Aa/d.json': 'unchanged' })
})

test('records of system entities cannot be installed', async () => {
  const record = { email: 'a@example.com' }
  const files = pluginFiles({
    EngineUsers: { files: { 'd.json': record } },
    EngineSchema: { files: { 'd.json': record } },
  })
  const { logs } = await install(deps, files)
  expect(logs).toMatchObject([
    {
      path: 'EngineSchema/d.json',
      error: 'Invalid definition',
      details: [
        { message: expect.stringMatching(/is not a target.*did you mean "EngineSchemas"/) },
      ],
    },
    {
      error: 'Invalid definition',
      details: [{ message: '"EngineUsers" is a system entity; plugins cannot add records to it' }],
    },
  ])
})

test('what the engine itself has is no missing dependency', async () => {
  const manifest = { target: 'Aa', dependencies: ['EngineUsers', 'EngineEntities'] }
  const files = pluginFiles({
    EngineEntities: { files: { 'A.json': { name: 'Aa' } } },
    Aa: { manifest, files: { 'd.json': { id: 1 } } },
  })
  expect(verdicts((await install(deps, files)).logs)).toMatchObject({ 'Aa/d.json': 'created' })
})

test('an archive as PowerShell 5 packs it, with backslashes in its names, is installed', async () => {
  const made = { host: 0, flags: 0 }
  const packed = zip([
    {
      ...made,
      name: 'engineplugin.json',
      content: '{"id":"com.example.ps","name":"P","version":"1"}',
    },
    { ...made, name: 'EngineEntities\\__manifest__.json', content: '{}' },
    { ...made, name: 'EngineEntities\\Aa.json', content: '{"name":"Aa"}' },
    {
      ...made,
      name: 'Aa\\__manifest__.json',
      content: '{"target":"Aa","insertDuplicate":"Upsert"}',
    },
    { ...made, name: 'Aa\\data.json', content: '{"id":1}' },
  ])
  const { logs } = await install(deps, packed)
  expect(verdicts(logs)).toMatchObject({
    'EngineEntities/Aa.json': 'created',
    'Aa/data.json': 'created',
  })
})
