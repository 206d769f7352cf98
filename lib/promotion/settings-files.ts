import { isDeepStrictEqual } from 'node:util'
import { AppError, messageOf } from '@/lib/errors'
import type { EngineClient } from './engine-client'
import type { Item, SettingsFile } from './settings-kinds'

/** The items of a server as they are in the file, in a fixed order. */
export async function readSettings(client: EngineClient, file: SettingsFile): Promise<Item[]> {
  const items = (await file.list(client)).filter(file.isOwn).map((item) => kept(file, item))
  return items.sort((one, other) => compareTexts(keyOf(file, one), keyOf(file, other)))
}

/** An empty list is no absent one: a policy about no field would be about all. */
function kept({ fields, empty = {} }: SettingsFile, item: Item): Item {
  const isSet = (name: string) => item[name] != null && !isDeepStrictEqual(item[name], empty[name])
  return Object.fromEntries(fields.filter(isSet).map((name) => [name, item[name]]))
}

export const keyOf = ({ identity }: SettingsFile, item: Item) =>
  JSON.stringify(identity.map((name) => item[name] ?? null))

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

export const settingsText = (items: readonly Item[]) => `${JSON.stringify(items, null, 2)}\n`

type Change = { item: Item; current: Item | undefined; name: string }

/** What a server does not have as the file says. */
async function changesOf(client: EngineClient, file: SettingsFile, wanted: readonly Item[]) {
  const found = (await file.list(client)).filter(file.isOwn)
  requireSingle(file, wanted)
  const known = byKey(file, found)
  const changes = wanted.map((item): Change => {
    const current = known.get(keyOf(file, item))
    if (current) requireSingle(file, found, keyOf(file, current))
    else if (file.identity.length === 1) requireNoOtherCase(file, item, found)
    return { item, current, name: nameOf(file, item) }
  })
  return changes.filter(
    ({ item, current }) => !current || !isDeepStrictEqual(kept(file, current), item),
  )
}

/** Views of several people may have one name. */
function requireSingle(file: SettingsFile, items: readonly Item[], key?: string): void {
  const seen = new Set<string>()
  for (const item of items) {
    const own = keyOf(file, item)
    if (seen.has(own) && (key === undefined || own === key))
      throw new AppError('conflict', `${nameOf(file, item)} is there twice: rename one of them`)
    seen.add(own)
  }
}

/** Servers take names that differ by case alone for one name. */
function requireNoOtherCase(file: SettingsFile, item: Item, found: readonly Item[]): void {
  const key = keyOf(file, item).toLowerCase()
  const other = found.find((one) => keyOf(file, one).toLowerCase() === key)
  if (!other) return
  throw new AppError(
    'conflict',
    `${nameOf(file, item)} is called ${nameOf(file, other)} on the other server: give both the same name`,
  )
}

const nameOf = ({ identity, what }: SettingsFile, item: Item) =>
  [what, ...identity.flatMap((part) => item[part] ?? [])].join(' ')

export type SettingChange = {
  change: 'create' | 'change'
  /** `role Clerk` */
  name: string
  /** What has to be done by hand afterwards. */
  missing: string | null
  /** What it changes, as JSON. */
  was: string | null
}

/** Equal for equal changes, also of those that the database has kept, which orders properties its own way. */
export const changeText = ({ change, name, missing, was }: SettingChange): string =>
  JSON.stringify([change, name, missing, was])

/** What `writeSettings` would do. */
export async function planSettings(
  client: EngineClient,
  file: SettingsFile,
  wanted: readonly Item[],
): Promise<SettingChange[]> {
  const changes = await changesOf(client, file, wanted)
  return changes.map(({ current, name }) =>
    current
      ? { change: 'change', name, missing: null, was: JSON.stringify(kept(file, current)) }
      : { change: 'create', name, missing: file.missing ?? null, was: null },
  )
}

/** The names of what a server has and the file does not. */
export async function settingsBeside(
  client: EngineClient,
  file: SettingsFile,
  wanted: readonly Item[],
): Promise<string[]> {
  const known = byKey(file, wanted)
  const found = (await file.list(client)).filter(file.isOwn)
  return found.filter((item) => !known.has(keyOf(file, item))).map((item) => nameOf(file, item))
}

/** Makes and changes on the server what the file has; returns what was done, in words. */
export async function writeSettings(
  client: EngineClient,
  file: SettingsFile,
  wanted: readonly Item[],
): Promise<string[]> {
  const lines: string[] = []
  for (const { item, current, name } of await changesOf(client, file, wanted)) {
    if (current) await change(client, file, current, item)
    else await make(client, file, item)
    const hint = !current && file.missing ? `; ${file.missing}` : ''
    lines.push(`${current ? 'changed' : 'created'}  ${name}${hint}`)
  }
  return lines
}

/** Items of a file before something was written, and what was. */
export type Written = { before: Item[]; written: Item[] }

/** Makes what was written as it was before, unless it was changed since; returns what was done, in words. */
export async function restoreSettings(
  client: EngineClient,
  file: SettingsFile,
  { before, written }: Written,
): Promise<string[]> {
  const found = (await file.list(client)).filter(file.isOwn)
  const [now, former] = [byKey(file, found), byKey(file, before)]
  const lines: string[] = []
  for (const item of written) {
    const [current, old] = [now.get(keyOf(file, item)), former.get(keyOf(file, item))]
    if (!current || isDeepStrictEqual(old, item)) continue
    const name = nameOf(file, item)
    if (!isDeepStrictEqual(kept(file, current), item)) {
      const isRestored = old !== undefined && isDeepStrictEqual(kept(file, current), old)
      if (!isRestored) lines.push(`left  ${name}, which was changed since`)
    } else if (old) {
      await change(client, file, current, old)
      lines.push(`restored  ${name}`)
    } else {
      lines.push(await remove(client, file, current, name))
    }
  }
  return lines
}

/** One that is in use meanwhile, such as a role of a user, stays. */
async function remove(client: EngineClient, file: SettingsFile, item: Item, name: string) {
  try {
    await client.json(pathOf(file, item), { method: 'DELETE' })
    return `deleted  ${name}`
  } catch (error) {
    const left = (await file.list(client)).some((one) => one[file.id] === item[file.id])
    if (!left) throw error
    return `left  ${name}: ${messageOf(error)}`
  }
}

const byKey = (file: SettingsFile, items: readonly Item[]) =>
  new Map(items.map((item) => [keyOf(file, item), item]))

const pathOf = ({ path, id }: SettingsFile, item: Item) =>
  `${path}/${encodeURIComponent(String(item[id]))}`

const make = (client: EngineClient, { path, preset }: SettingsFile, item: Item) =>
  client.json(path, { method: 'POST', body: JSON.stringify({ ...item, ...preset }) })

function change(client: EngineClient, file: SettingsFile, current: Item, item: Item) {
  const changed = file.fields.filter(
    (name) => !isDeepStrictEqual(item[name], kept(file, current)[name]),
  )
  const body = Object.fromEntries(
    changed.map((name) => [name, item[name] ?? file.empty?.[name] ?? null]),
  )
  return client.json(pathOf(file, current), { method: 'PATCH', body: JSON.stringify(body) })
}
