import { symlinkSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { testKey, testKeyOfRoles } from '@/lib/testing/request'
import { addShoes, newFolder, newPlugin, newShoes, run } from '../testing/cli'
import { runningEngine, shoeNames } from '../testing/engine'

const { deps, env } = runningEngine()

async function send(method: string, path: string, body?: object, key = env.ENGINE_API_KEY) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = env.ENGINE_URL + path
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return JSON.parse(text)
}

async function taken(): Promise<string> {
  const folder = await newFolder()
  expect((await run(['snapshot'], folder, { env })).code).toBe(0)
  return folder
}

const apply = (folder: string) => run(['apply'], folder, { env })

async function fill() {
  await newShoes(env)
  await send('POST', '/api/roles', { name: 'Clerk', label: 'Clerks' })
}

describe('a snapshot that can not be applied is refused before anything is written', () => {
  beforeEach(fill)

  const DAMAGES = [
    ['roles.json', '{', 'no list'],
    ['roles.json', '{}', 'no list'],
    ['roles.json', '[null]', 'no list'],
    ['engine.json', '{"snapshot":1,"records":"some"}', 'damaged'],
    ['engine.json', '{"snapshot":1,"records":"all","entities":"Shoe"}', 'damaged'],
  ] as const
  test('with a file that is damaged', async () => {
    const folder = await taken()
    await addShoes(join(folder, 'plugins/com.example.shop'), 5)
    for (const [file, text, message] of DAMAGES) {
      const sound = await readFile(join(folder, file))
      await writeFile(join(folder, file), text)
      const { code, err } = await apply(folder)
      expect.soft([text, code, err]).toEqual([text, 1, expect.stringContaining(message)])
      await writeFile(join(folder, file), sound)
    }
    expect(await shoeNames(deps)).toHaveLength(3)
  })

  test('with a role whose name differs by case alone', async () => {
    const folder = await taken()
    await addShoes(join(folder, 'plugins/com.example.shop'), 5)
    await send('DELETE', '/api/roles/Clerk')
    await send('POST', '/api/roles', { name: 'clerk' })
    const { code, err } = await apply(folder)
    expect([code, err]).toEqual([1, expect.stringContaining('Clerk is called role clerk')])
    expect(await shoeNames(deps)).toHaveLength(3)
  })

  test('with a view that two people have under one name', async () => {
    const view = { entity: 'Shoe', name: 'First', params: '', visibility: 'everyone' }
    await send('POST', '/api/views', view)
    await send(
      'POST',
      '/api/views',
      { ...view, params: 'sort=id:asc' },
      await testKey(deps, ['ADMIN']),
    )
    const folder = await taken()
    await writeFile(
      join(folder, 'views.json'),
      (await readFile(join(folder, 'views.json'), 'utf8')).replace('sort=id:asc', 'sort=id:desc'),
    )
    const { code, err } = await apply(folder)
    expect([code, err]).toEqual([1, expect.stringContaining('First everyone is there twice')])
  })

  test('with links, which are not written through either', async () => {
    const [folder, elsewhere] = [await taken(), join(await newFolder(), 'mine.txt')]
    await writeFile(elsewhere, 'mine')
    await rm(join(folder, 'roles.json'))
    symlinkSync(elsewhere, join(folder, 'roles.json'))
    for (const command of ['apply', 'snapshot']) {
      const { code, err } = await run([command], folder, { env })
      expect([code, err]).toEqual([1, expect.stringContaining('is a link')])
    }
    expect(await readFile(elsewhere, 'utf8')).toBe('mine')
  })
})

async function undo(report: unknown) {
  const folder = await newFolder()
  await writeFile(join(folder, 'promotion.json'), JSON.stringify(report))
  const keys = { ENGINE_TO_KEY: env.ENGINE_API_KEY }
  return run(['promote', '--to', env.ENGINE_URL ?? '', '--undo'], folder, { env: keys })
}

describe('the report of a promotion', () => {
  beforeEach(fill)

  test('leaves a role that an API key has meanwhile, and goes on', async () => {
    const written = [{ name: 'Clerk', label: 'Clerks' }]
    const settings = { 'roles.json': { before: [], written } }
    await testKeyOfRoles(deps, ['Clerk'])
    const after = (await send('GET', '/api/plugins/history')).data[0].id - 1
    const installs = [{ plugin: 'com.example.shop', after, history: after + 1 }]
    const { code, out } = await undo({ to: env.ENGINE_URL, installs, settings })
    expect([code, out]).toEqual([0, expect.stringMatching(/left {2}role Clerk: .*\nrolled back/)])
  })

  test('that ends before an install takes back none of others, and its own one', async () => {
    const [first] = (await send('GET', '/api/plugins/history')).data
    const step = { plugin: 'com.example.shop', after: first.id - 1, history: null }
    const report = { to: env.ENGINE_URL, settings: {} }
    const foreign = await undo({ ...report, installs: [{ ...step, sha256: 'other' }] })
    expect([foreign.code, foreign.out]).toEqual([0, 'Nothing to take back\n'])
    expect(await shoeNames(deps)).toHaveLength(3)
    const own = await undo({ ...report, installs: [{ ...step, sha256: first.sha256 }] })
    expect([own.code, own.out]).toEqual([0, expect.stringContaining('rolled back')])
  })

  test('takes its install back after the promotion that followed was', async () => {
    const [first] = (await send('GET', '/api/plugins/history')).data
    const folder = await newPlugin()
    await addShoes(folder, 5)
    await run(['install'], folder, { env })
    const [second] = (await send('GET', '/api/plugins/history')).data
    const reports = [second, first].map(({ id }) => ({
      ...{ to: env.ENGINE_URL, settings: {} },
      installs: [{ plugin: 'com.example.shop', after: id - 1, history: id }],
    }))
    const tooEarly = await undo(reports[1])
    expect([tooEarly.code, tooEarly.err]).toEqual([1, expect.stringContaining('installed again')])
    for (const report of reports) {
      const { code, out } = await undo(report)
      expect([code, out]).toEqual([0, expect.stringContaining('rolled back')])
      expect((await undo(report)).out).toBe('Nothing to take back\n')
    }
    expect((await send('GET', '/api/plugins')).data).toEqual([])
  })
})

test.each([null, [], {}, { to: 'x' }, { to: 'x', installs: {}, settings: {} }])(
  'the report of a promotion is none that is %j',
  async (report) => {
    const { code, err } = await undo(report)
    expect([code, err]).toEqual([2, expect.stringContaining('no report')])
  },
)
