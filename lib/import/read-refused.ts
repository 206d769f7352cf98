import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findImport, readPart } from './jobs/store'
import { requireOwn } from './own-import'

type Request = { id: string; actor: Actor; requestId: string }

/** The refused rows of an import as CSV, with the reason in the last column. Throws `not_found`, and `conflict` when there are none. */
export async function readRefused(deps: Deps, { id, actor, requestId }: Request) {
  const row = requireOwn(await findImport(deps.db, id), actor)
  const { entity, refusedBytes, fileName } = row
  if (refusedBytes === 0) throw new AppError('conflict', 'The import has no refused rows')
  await recordAudit(deps.db, actor, {
    ...{ action: 'imports.download', objectType: entity, requestId },
    details: { import: id, file: fileName },
  })
  const name = fileName.replace(/\.[A-Za-z0-9]{1,8}$/, '')
  return {
    fileName: `${name}-refused.csv`,
    mediaType: 'text/csv; charset=utf-8; header=present',
    chunks: partsOf(deps, id, refusedBytes),
  }
}

async function* partsOf({ db }: Deps, id: string, bytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for (let position = 0; sent < bytes; position++) {
    const part = await readPart(db, id, position)
    if (!part) throw new Error('The import was deleted while its rows were downloaded')
    sent += part.length
    yield part
  }
}
