import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, newPlugin, readJson, run, runJson, writeJson } from '../testing/cli'

type Version = { version: string; more?: object; sign?: boolean }

/** A folder with the archives of these versions of a shop, and the key that signs some. */
async function newArchives(...versions: Version[]) {
  const [plugin, folder] = [await newPlugin(), await newFolder()]
  const { json: key } = await runJson(['keygen', '--no-password'], plugin)
  const manifest = await readJson(plugin, 'engineplugin.json')
  for (const { version, more = {}, sign = false } of versions) {
    await writeJson(plugin, 'engineplugin.json', { ...manifest, version, ...more })
    const file = join(folder, `shop-${version}.zip`)
    await run(['pack', '-o', file, ...(sign ? ['--sign', 'engine.key'] : [])], plugin)
  }
  return { folder, keyId: key.keyId as string, plugin }
}

test('the index has each version with its hash, size, key and changes, the newest first', async () => {
  const more = { changes: 'Half sizes', engine: '>=0.1', description: 'Shoes' }
  const versions = [{ version: '1.9.0' }, { version: '1.10.0', more, sign: true }]
  const { folder, keyId } = await newArchives(...versions)
  const { code, out } = await run(['index', '--name', 'Acme'], folder)
  expect([code, out]).toEqual([0, expect.stringContaining('com.example.shop 1.10.0, 1.9.0\n')])
  const index = await readJson(folder, 'index.json')
  expect(index).toEqual({
    ...{ engineIndex: 1, name: 'Acme' },
    plugins: [
      {
        ...{ id: 'com.example.shop', name: expect.any(String), description: 'Shoes' },
        versions: [
          {
            ...{ version: '1.10.0', url: 'shop-1.10.0.zip', keyId },
            ...{ changes: 'Half sizes', engine: '>=0.1' },
            ...(await hashed(folder, 'shop-1.10.0.zip')),
          },
          {
            ...{ version: '1.9.0', url: 'shop-1.9.0.zip' },
            ...(await hashed(folder, 'shop-1.9.0.zip')),
          },
        ],
      },
    ],
  })
})

async function hashed(folder: string, name: string) {
  const bytes = await readFile(join(folder, name))
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
}

const urlsOf = (index: { plugins: { versions: { url: string }[] }[] }) =>
  index.plugins.flatMap(({ versions }) => versions.map(({ url }) => url))

test('the same archives make the same bytes, and addresses lead from the index to them', async () => {
  const { folder } = await newArchives({ version: '1.0.0' })
  await mkdir(join(folder, 'old ones'))
  await rm(join(folder, 'shop-1.0.0.zip'))
  const { folder: other } = await newArchives({ version: '1.0.0' })
  await copyFile(join(other, 'shop-1.0.0.zip'), join(folder, 'old ones', 'a#b.zip'))
  await run(['index'], folder)
  const first = await readFile(join(folder, 'index.json'))
  await run(['index'], folder)
  expect(await readFile(join(folder, 'index.json'))).toEqual(first)
  expect(urlsOf(JSON.parse(String(first)))).toEqual(['old%20ones/a%23b.zip'])
  await run(['index', 'old ones', '-o', 'site.json'], folder)
  expect(urlsOf(await readJson(folder, 'site.json'))).toEqual(['old%20ones/a%23b.zip'])
  await run(['index', '--url', 'https://a.example/p'], folder)
  expect(urlsOf(await readJson(folder, 'index.json'))).toEqual([
    'https://a.example/p/old%20ones/a%23b.zip',
  ])
})

test('the time of a version stays in the next index, and is that of the new ones', async () => {
  const { folder, plugin } = await newArchives({ version: '1.0.0' })
  const published = (time: string) => run(['index', '--published', time], folder)
  await published('2030-01-31T12:00:00Z')
  const manifest = await readJson(plugin, 'engineplugin.json')
  await writeJson(plugin, 'engineplugin.json', { ...manifest, version: '1.1.0' })
  await run(['pack', '-o', join(folder, 'next.zip')], plugin)
  await published('2030-02-01')
  const { plugins } = await readJson(folder, 'index.json')
  expect(plugins[0].versions.map((one: { publishedAt: string }) => one.publishedAt)).toEqual([
    '2030-02-01T00:00:00.000Z',
    '2030-01-31T12:00:00.000Z',
  ])
})

test('what no index can have is refused', async () => {
  const { folder } = await newArchives({ version: '1.0.0' })
  const refused = async (args: string[], reason: string, status = 1) => {
    const { code, err } = await run(['index', ...args], folder)
    expect([code, err]).toEqual([status, expect.stringContaining(reason)])
  }
  await refused(['--url', 'plugins'], '--url must be like', 2)
  await refused(['--published', 'today'], '--published must be', 2)
  await refused(['nowhere'], 'no such file')
  await copyFile(join(folder, 'shop-1.0.0.zip'), join(folder, 'copy.zip'))
  await refused([], 'com.example.shop 1.0.0 is there twice')
  await writeFile(join(folder, 'copy.zip'), 'no archive')
  await refused([], 'copy.zip')
  await rm(join(folder, 'copy.zip'))
  await writeFile(join(folder, 'index.json'), '{}')
  await refused([], 'engineIndex')
  const empty = await run(['index'], await newFolder())
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('has no archive')])
  const { folder: unnamed } = await newArchives({ version: 'none', more: { version: null } })
  expect((await run(['index'], unnamed)).err).toContain('com.example.shop has no version')
})
