import type { PluginManifest } from '@/lib/archives/manifests'
import { AppError } from '@/lib/errors'
import type { Signed } from '@/lib/signatures/signature'

/** What an index says that an archive is; `keyId` is null where it names no key. */
export type NamedArchive = { id: string; version: string; keyId: string | null }

/** Throws `invalid_input`, with `meta.archive`, for an archive that is another one than it was named. */
export function requireNamed(
  { id, version }: Pick<PluginManifest, 'id' | 'version'>,
  signed: Signed | null,
  named: NamedArchive | undefined,
): void {
  if (!named) return
  if (id !== named.id) throw refused('plugin', `it is of the plugin "${id}", not ${named.id}`)
  if (version !== named.version)
    throw refused('version', `it is version ${version ?? 'none'}, not ${named.version}`)
  const keyId = signed?.signature.keyId ?? null
  if (named.keyId === null || keyId === named.keyId) return
  const by = keyId === null ? 'not signed' : `signed by the key ${keyId}`
  throw refused('key', `it is ${by}, not by ${named.keyId}`)
}

const refused = (archive: string, why: string) =>
  new AppError('invalid_input', `The archive is not what the index says: ${why}`, {
    meta: { archive },
  })
