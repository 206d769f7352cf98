import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { preflight } from './preflight.mjs'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'engine-preflight-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

const check = (settings: Record<string, string>) => preflight({ DATA_DIR, ...settings })

test('a port that browsers refuse is named immediately', async () => {
  await expect(check({ PORT: '4190' })).rejects.toThrow(/Browsers do not open port 4190/)
})

test('a port in use is named, a free one is none to speak of', async () => {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, () => resolve((server.address() as { port: number }).port))
  })
  await expect(check({ PORT: String(port) })).rejects.toThrow(`Port ${port} is in use`)
  await new Promise((resolve) => server.close(resolve))
  await check({ PORT: String(port) })
})

test('a data folder that cannot be written is named', async () => {
  const refused = check({ PORT: '4236', DATA_DIR: '/dev/null/data' })
  await expect(refused).rejects.toThrow(/^DATA_DIR: \/dev\/null\/data can't be written/)
})

test('a replica that does not respond, or is none, is named', async () => {
  const DATABASE_REPLICA_URLS = 'postgres://u:secret@127.0.0.1:1/x'
  const { TEST_DATABASE_DIRECT_URL, TEST_DATABASE_URL } = process.env
  const url = TEST_DATABASE_DIRECT_URL || TEST_DATABASE_URL
  const alone = check({ PORT: '4462', DATABASE_REPLICA_URLS })
  await expect(alone).rejects.toThrow('DATABASE_REPLICA_URLS: needs DATABASE_URL, too')
  if (!url) return
  const away = check({ PORT: '4463', DATABASE_URL: url, DATABASE_REPLICA_URLS })
  await expect(away).rejects.toThrow(/^No database at 127.*Check DATABASE_REPLICA_URLS\.$/)
  const primary = check({ PORT: '4464', DATABASE_URL: url, DATABASE_REPLICA_URLS: url })
  await expect(primary).rejects.toThrow('is no replica. Check DATABASE_REPLICA_URLS.')
})

test('a database that does not respond is named without its password', async () => {
  const failed = check({ PORT: '4461', DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' })
  await expect(failed).rejects.toThrow(
    /^No database at 127\.0\.0\.1:1\/x \(.+\)\. Check DATABASE_URL\.$/,
  )
})
