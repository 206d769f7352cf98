import { build } from 'esbuild'
import { expect, test } from 'vitest'

// drizzle knows a pool by the name of its class; without it the statements of a transaction would go
// to any connections.
test('is known as a pool in a build that shortens names', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { GuardedPool } from '@/lib/db/guarded-pool'`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  const { GuardedPool } = await import(`data:text/javascript;base64,${code}`)
  expect(GuardedPool.name).toContain('Pool')
})

test('refuses to begin a transaction that has no connection of its own', async () => {
  const { GuardedPool } = await import('./guarded-pool')
  const pool = new GuardedPool(
    { connect: () => Promise.reject(new Error()), waitingCount: 0 },
    {
      cancel: () => {},
      cancelGraceMs: 0,
      acquireMs: 0,
      maxWaiting: 1,
    },
  )
  await expect(pool.query('begin')).rejects.toThrow('a connection of its own')
})
