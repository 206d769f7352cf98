import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage } from './fetch-package.mjs'
import { ROOT } from './run.mjs'

const CACHE = join(ROOT, 'node_modules/.cache/engine-films')
const FETCHED = join(CACHE, 'films.js')
/** A package that carries what swapi.co said of films, people and planets, which refer to each other as lists of addresses. */
const CARRIER = {
  name: 'swapi-graphql@0.0.6',
  cache: CACHE,
  hash: '988497e43361903175e820092dc3086feb8fc0aaa2e7448f00ade2f977591c7a',
  hashed: async (folder) => readFileSync(join(folder, 'package/lib/api/cachedData/cache.js')),
}

/**
 * A database of films that others have made, fetched once (50 kB): its records by their kinds. Null where the registry is not reached.
 *
 * @returns {Promise<Record<string, Record<string, unknown>[]> | null>}
 */
export async function filmDatabase() {
  if (!existsSync(FETCHED)) await fetchPackage(CARRIER, keep)
  return existsSync(FETCHED) ? recordsOf(readFileSync(FETCHED, 'utf8')) : null
}

function keep(folder, content) {
  writeFileSync(join(folder, 'films.js'), content)
  renameSync(join(folder, 'films.js'), FETCHED)
}

/** The script assigns JSON to a variable; each of its values is the JSON of one record or of a page, by its address. */
function recordsOf(script) {
  const [, json] = /var data=(\{.*?"\});?\s*exports/s.exec(script) ?? []
  const records = {}
  for (const [address, text] of Object.entries(JSON.parse(json))) {
    const [, kind] = /\/(\w+)\/\d+\/$/.exec(address) ?? []
    if (kind) records[kind] = [...(records[kind] ?? []), JSON.parse(text)]
  }
  return records
}
