import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { installs } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { newKey, signedFiles } from '@/lib/testing/signed-archive'
import { installed, openSite, type Site, setIndex } from '../../testing/plugin-site'
import { acme, setPolicy, shop, signedShop, trust } from '../../testing/signed-shop'

const deps = freshDeps()
let site: Site
beforeEach(async () => {
  site = await openSite(deps)
})
const left = () => readdir(join(deps.settings.DATA_DIR, 'tmp')).catch(() => [])
afterEach(async () => expect(await left()).toEqual([]))

const id = 'com.example.shop'
const NEXT = { id, version: '1.3.0' }
const DRY = '?dryRun=true'
const refuses = async (status: number, archive: string | undefined, reason: RegExp) => {
  for (const query of [DRY, '']) {
    const refused = await installed(deps, NEXT, query)
    expect([refused.status, refused.meta?.archive, refused.error]).toEqual([
      ...[status, archive, expect.stringMatching(reason)],
    ])
  }
}

test('a version is planned and installed, and its history says where it came from', async () => {
  await site.publish({ 'shop-1.3.0.zip': shop('1.3.0') })
  const { plan } = await installed(deps, NEXT, DRY)
  expect(plan).toMatchObject({ pluginId: id, version: '1.3.0', failedCount: 0 })
  const seal = encodeURIComponent(plan.seal)
  const { status, history } = await installed(deps, NEXT, `?seal=${seal}`)
  expect([status, history]).toMatchObject([
    ...[200, { status: 'SUCCESS', source: `com.example.shop-1.3.0.zip of ${site.host}` }],
  ])
})

test('an install takes the options of others: decisions, pages of a plan, all or nothing', async () => {
  await site.publish({ 'shop.zip': shop('1.3.0') })
  const page = await installed(deps, NEXT, `${DRY}&detail=records&file=Shoe/data.json`)
  expect(page.data.records).toHaveLength(1)
  const decisions = { Shoe: { keep: ['1'], take: [] } }
  expect(await installed(deps, { ...NEXT, decisions })).toMatchObject({
    ...{ status: 400, error: expect.stringContaining('needs the "seal"') },
  })
  const unmet = await installed(deps, { ...NEXT, decisions }, DRY)
  expect(unmet.error).toContain('records without a conflict')
  const broken = { ...shop('1.3.0'), 'Shoe/data.json': '{' }
  site = await openSite(deps)
  await site.publish({ 'shop.zip': broken })
  expect((await installed(deps, NEXT, '?mode=atomic')).status).toBe(422)
})

describe('an archive that is not the one of the index is refused', () => {
  test('truncated, or broken off', async () => {
    await site.publish({ 'shop.zip': shop('1.3.0') })
    const bytes = site.served.get('/shop.zip') as Uint8Array
    site.served.set('/shop.zip', bytes.subarray(0, -1))
    await refuses(502, 'truncated', /truncated: \d+ of \d+ bytes arrived/)
    site.served.set('/shop.zip', (_, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length })
      response.write(bytes.subarray(0, 50), () => response.destroy())
    })
    await refuses(502, undefined, /archive could not be loaded/)
  })

  test('longer, whether its server says so or not', async () => {
    await site.publish({ 'shop.zip': shop('1.3.0') })
    const longer = Buffer.concat([site.served.get('/shop.zip') as Uint8Array, Buffer.alloc(9)])
    site.served.set('/shop.zip', longer)
    await refuses(502, 'longer', /longer than the \d+ bytes/)
    site.served.set('/shop.zip', (_, response) => {
      response.writeHead(200).write(longer)
    })
    await refuses(502, 'longer', /longer than the \d+ bytes/)
  })

  test('with another hash', async () => {
    await site.publish({ 'shop.zip': shop('1.3.0') })
    const changed = Buffer.from(site.served.get('/shop.zip') as Uint8Array)
    changed[40] = (changed[40] ?? 0) ^ 1
    site.served.set('/shop.zip', changed)
    await refuses(502, 'hash', /another hash/)
  })

  /** The index of the version, which names the hash and size of an archive of these other files. */
  async function swap(files: Record<string, unknown>, keyId?: string) {
    await site.publish({ 'shop.zip': files }, (index) => {
      const [plugin] = index.plugins
      const versions = plugin?.versions.map((one) => ({ ...one, version: '1.3.0', keyId }))
      return { ...index, plugins: [{ ...plugin, id, versions }] }
    })
  }

  test('of another plugin, or another version', async () => {
    await swap({
      ...shop('1.3.0'),
      'engineplugin.json': { id: 'com.example.evil', version: '1.3.0' },
    })
    await refuses(400, 'plugin', /of the plugin "com.example.evil", not com.example.shop/)
    const [entry] = await deps.db.select().from(installs)
    expect(entry).toMatchObject({ pluginId: 'com.example.evil', status: 'FAILED' })
    site = await openSite(deps)
    await swap(shop('1.2.0'))
    await refuses(400, 'version', /version 1.2.0, not 1.3.0/)
  })

  test('by another key than listed, or none', async () => {
    const { keyId } = await trust(deps)
    await swap(await signedFiles(shop('1.3.0'), newKey()), keyId)
    await refuses(400, 'key', new RegExp(`signed by the key .*, not by ${keyId}`))
    site = await openSite(deps)
    await swap(shop('1.3.0'), keyId)
    await refuses(400, 'key', /not signed, not by/)
  })

  test('by a forged signature, as in any install, whatever the index says', async () => {
    const { keyId } = await trust(deps)
    const forged = await signedFiles(shop('1.3.0'), newKey(acme.secret.keyId))
    await swap(forged, keyId)
    for (const query of [DRY, ''])
      expect(await installed(deps, NEXT, query)).toMatchObject({
        ...{ status: 400, meta: { signature: 'invalid' } },
      })
  })

  test('larger than this server takes, before it is asked for', async () => {
    deps.settings = { ...deps.settings, MAX_ZIP_BYTES: 100 }
    await site.publish({ 'shop.zip': shop('1.3.0') })
    await refuses(413, undefined, /MAX_ZIP_BYTES/)
    expect(site.asked).toEqual(['/index.json'])
  })
})

test('PLUGIN_SIGNATURES=require takes signed archives of trusted publishers alone', async () => {
  setPolicy(deps, 'require')
  await trust(deps)
  await site.publish({ 'a.zip': shop('1.3.0'), 'b.zip': await signedShop('1.4.0') })
  await refuses(403, undefined, /not signed/)
  const { status, history } = await installed(deps, { id, version: '1.4.0' })
  expect([status, history.signature]).toMatchObject([200, { state: 'valid', publisher: 'Acme' }])
})

describe('an index that changes between plan and install', () => {
  afterEach(() => vi.useRealTimers())

  test('is that of now for a new plan, while a sealed install takes nothing else than planned', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await site.publish({ 'shop.zip': shop('1.3.0') })
    const { plan } = await installed(deps, NEXT, DRY)
    await site.publish({ 'shop.zip': shop('1.3.0', 'swapped for another one') })
    vi.setSystemTime(Date.now() + 4_000)
    const sealed = await installed(deps, NEXT, `?seal=${encodeURIComponent(plan.seal)}`)
    expect(sealed).toMatchObject({ status: 502, meta: { archive: 'longer' } })
    const again = await installed(deps, NEXT, DRY)
    expect(again.status).toBe(200)
    expect(again.plan.seal).not.toBe(plan.seal)
  })

  test('breaks the seal, and the hash that was seen', async () => {
    await site.publish({ 'shop.zip': shop('1.3.0') })
    const { plan } = await installed(deps, NEXT, DRY)
    const before = JSON.parse(String(site.served.get('/index.json'))).plugins[0].versions[0].sha256
    expect((await installed(deps, { ...NEXT, sha256: before }, DRY)).status).toBe(200)
    // Where the former is not kept.
    site = await openSite(deps)
    await site.publish({ 'shop.zip': shop('1.3.0', 'swapped') })
    const sealed = await installed(deps, NEXT, `?seal=${encodeURIComponent(plan.seal)}`)
    expect([sealed.status, sealed.error]).toEqual([
      ...[409, expect.stringContaining('the archive is another one')],
    ])
    const seen = await installed(deps, { ...NEXT, sha256: before })
    expect([seen.status, seen.error]).toEqual([409, expect.stringContaining('another archive')])
  })
})

describe('what the index does not offer', () => {
  test('is not found, or a conflict where the engine is another', async () => {
    const files = shop('1.3.0')
    const manifest = { ...(files['engineplugin.json'] as object), engine: '>=900' }
    await site.publish({ 'shop.zip': { ...files, 'engineplugin.json': manifest } })
    await refuses(409, undefined, /made for the engine >=900/)
    const other = await installed(deps, { id: 'com.example.shap', version: '1.3.0' })
    expect([other.status, other.error]).toEqual([404, expect.stringContaining('com.example.shop')])
    expect((await installed(deps, { id, version: '9' })).status).toBe(404)
    setIndex(deps, undefined)
    await refuses(404, undefined, /PLUGIN_INDEX_URL/)
  })
})

describe('an archive at an address that is not the index’s', () => {
  const at = (url: string) =>
    site.publish({ 'shop.zip': shop('1.3.0') }, (index) => {
      const [plugin] = index.plugins
      const versions = plugin?.versions.map((one) => ({ ...one, url }))
      return { ...index, plugins: [{ ...plugin, versions }] }
    })

  test.each([
    ['http://10.0.0.1/shop.zip', /https:\/\//],
    ['https://10.0.0.1/shop.zip', /public internet/],
    ['https://[fd00::1]/shop.zip', /public internet/],
    ['file:///etc/passwd', /https:\/\//],
    ['https://user:word@example.com/a.zip', /user name/],
    ['https://example.com:25/a.zip', /Port 25/],
    ['https://', /no valid address/],
  ])('%s is not asked for', async (url, reason) => {
    await at(url)
    await refuses(502, undefined, reason)
  })

  test.each(['named by the index', 'by a redirect'])(
    'may not be on another host that webhooks may have: %s',
    async (how) => {
      const other = await openSite(deps)
      setIndex(deps, `http://${site.host}/index.json`, [other.host])
      const elsewhere = `http://${other.host}/shop.zip`
      site.served.set('/moved.zip', (_, response) => {
        response.writeHead(302, { Location: elsewhere }).end()
      })
      await at(how === 'by a redirect' ? 'moved.zip' : elsewhere)
      await refuses(502, undefined, /https:\/\//)
      expect(other.asked).toEqual([])
    },
  )

  test('is taken from the host of the index, by a redirect too', async () => {
    await at('/old/shop.zip')
    site.served.set('/old/shop.zip', (_, response) => {
      response.writeHead(302, { Location: '../shop.zip' }).end()
    })
    expect((await installed(deps, NEXT)).status).toBe(200)
    expect(site.asked).toEqual(['/index.json', '/old/shop.zip', '/shop.zip'])
  })
})

test('who may only read plugins sees the index, and installs nothing', async () => {
  await site.publish({ 'shop.zip': shop('1.3.0') })
  expect((await installed(deps, NEXT, '', 'VIEWER')).status).toBe(403)
  expect(site.asked).toEqual([])
})
