import { expect, test } from 'vitest'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as LOGS } from '../history/[id]/logs/route'
import { POST as INSTALL } from '../install/zip/route'

const deps = freshDeps()

export const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

export const notes = (json: string) => ({ Note: { files: { 'data.json': json } } })

export const schema = (json: string) => ({ EngineSchemas: { files: { 'X.json': json } } })

type Files = Record<string, { files: Record<string, string>; manifest?: unknown }>
type Case = [what: string, files: Files, verdict: string, message: RegExp]

/** A test of each case: a file that is too much for us. */
export const testHostileFiles = (cases: Case[]) =>
  test.each(cases)(
    '%s fails its file with words, and no other',
    async (_, extra, verdict, message) => {
      const logs = await install(extra)
      const failed = logs.filter(({ status }) => status === 'failed')
      expect(failed).toMatchObject([
        { error: verdict, details: [{ message: expect.stringMatching(message) }] },
      ])
      expect(logs.find(({ path }) => path === 'EngineEntities/Note.json')?.status).toBe('created')
    },
  )

type Log = { path: string; status: string; error: string | null; details: { message: string }[] }

/** Installs an entity beside the files, and returns the log. */
export async function install(extra: Files): Promise<Log[]> {
  const files = pluginFiles({
    EngineEntities: { files: { 'Note.json': { name: 'Note' } } },
    ...extra,
  })
  const { status, body } = await call(deps, INSTALL, {
    method: 'POST',
    path: '/api/plugins/install/zip',
    body: uploadOf(await archiveOf(files)),
    as: 'ADMIN',
  })
  expect(status).toBe(200)
  const id = body.data.history
  const path = `/api/plugins/history/${id}/logs`
  return (await call(deps, LOGS, { path, as: 'ADMIN', params: { id: String(id) } })).body.data
}
