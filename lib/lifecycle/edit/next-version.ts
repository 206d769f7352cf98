import type { JsonObject } from '@/lib/values/json'

/** Begins the id of a plugin that was made in the console: nobody else publishes versions of it. */
export const LOCAL = 'local.'

/**
 * The version of a plugin after an edit made here: `1.3.0` after `1.2.0` for a local plugin, `1.2.0+local.1` for
 * one of another author, whose next version is higher. Null stays null.
 */
function nextVersion(id: string, version: string | null): string | null {
  if (version === null) return null
  const [release = '', build] = version.split('+')
  const numbers = release.split('.')
  if (id.startsWith(LOCAL) && numbers.length === 3 && numbers.every((part) => /^\d+$/.test(part)))
    return `${numbers[0]}.${Number(numbers[1]) + 1}.0`
  const [, edits = '0'] = /^local\.(\d+)$/.exec(build ?? '') ?? []
  return `${release}+local.${Number(edits) + 1}`
}

/** The manifest of the plugin's next version, which has no changes of its author's. */
export function nextManifest({ changes: _, ...manifest }: JsonObject): JsonObject {
  const { id, version } = manifest
  const next = nextVersion(String(id), version == null ? null : String(version))
  return next === null ? manifest : { ...manifest, version: next }
}
