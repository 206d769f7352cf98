import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client'

type Item = Record<string, unknown>

/** A list of the server that a snapshot has as a file. */
export type SettingsFile = {
  name: string
  /** What it is called in messages. */
  what: string
  list: (client: Client) => Promise<Item[]>
  /** Whether it was made here: what plugins give is in theirs. */
  isOwn: (item: Item) => boolean
  /** Those of an item that go into the file, without the ones that are not set. */
  fields: readonly string[]
  /** Those by which an item of the file is found on a server. */
  identity: readonly string[]
  /** Where one is made and, with its id or name, changed. */
  path: string
  id: string
  /** Besides, when it is made. */
  preset?: Item
  /** What has to be done by hand for one that was made. */
  missing?: string
}

const PAGE = { size: '100' }

export const SETTINGS_FILES: readonly SettingsFile[] = [
  {
    ...{ name: 'roles.json', what: 'role', path: '/api/roles', id: 'name' },
    list: (client) => client.all('/api/roles', PAGE),
    isOwn: ({ builtIn, pluginId }) => !builtIn && pluginId === null,
    fields: ['name', 'label', 'description'],
    identity: ['name'],
  },
  {
    ...{ name: 'policies.json', what: 'policy', path: '/api/policies', id: 'id' },
    list: (client) => client.all('/api/policies', { ...PAGE, plugin: '-' }),
    isOwn: () => true,
    fields: [
      ...['name', 'description', 'principals', 'entities', 'actions', 'allow', 'priority'],
      ...['where', 'fields', 'set', 'check'],
    ],
    identity: ['name'],
  },
  {
    ...{ name: 'views.json', what: 'view', path: '/api/views', id: 'id' },
    list: listViews,
    isOwn: ({ visibility }) => visibility !== 'private',
    fields: ['entity', 'name', 'visibility', 'role', 'params', 'defaultForRoles'],
    identity: ['entity', 'name', 'visibility', 'role'],
  },
  {
    ...{ name: 'webhooks.json', what: 'webhook', path: '/api/webhooks', id: 'id' },
    list: (client) => client.all('/api/webhooks', PAGE),
    isOwn: ({ pluginId }) => pluginId === null,
    fields: ['name', 'url', 'entities', 'actions', 'where', 'fields', 'many', 'format'],
    identity: ['name'],
    preset: { enabled: false },
    missing: 'it is paused: check its address, rotate its secret to see it, then turn it on',
  },
]

async function listViews(client: Client): Promise<Item[]> {
  const { data } = await client.json('/api/entities')
  const views: Item[] = []
  for (const { name: entity } of data as { name: string }[])
    views.push(...((await client.json('/api/views', { query: { entity } })).data as Item[]))
  return views
}

/** The items of a server as they are in the file, in a fixed order. */
export async function readSettings(client: Client, file: SettingsFile): Promise<Item[]> {
  const items = (await file.list(client)).filter(file.isOwn).map((item) => kept(file, item))
  return items.sort((one, other) => compareTexts(keyOf(file, one), keyOf(file, other)))
}

function kept({ fields }: SettingsFile, item: Item): Item {
  const isSet = (value: unknown) => value != null && !isDeepStrictEqual(value, [])
  return Object.fromEntries(
    fields.filter((name) => isSet(item[name])).map((name) => [name, item[name]]),
  )
}

const keyOf = ({ identity }: SettingsFile, item: Item) =>
  JSON.stringify(identity.map((name) => item[name] ?? null))

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

export const settingsText = (items: readonly Item[]) => `${JSON.stringify(items, null, 2)}\n`

/** Makes and changes on the server what the file has; returns what was done, in words. */
export async function writeSettings(
  client: Client,
  file: SettingsFile,
  wanted: readonly Item[],
): Promise<string[]> {
  const found = (await file.list(client)).filter(file.isOwn)
  const known = new Map(found.map((item) => [keyOf(file, item), item]))
  const lines: string[] = []
  for (const item of wanted) {
    const name = file.identity.flatMap((part) => item[part] ?? []).join(' ')
    const current = known.get(keyOf(file, item))
    if (current && isDeepStrictEqual(kept(file, current), item)) continue
    if (current) await change(client, file, current, item)
    else await make(client, file, item)
    const hint = !current && file.missing ? `; ${file.missing}` : ''
    lines.push(`${current ? 'changed' : 'created'}  ${file.what} ${name}${hint}`)
  }
  return lines
}

const make = (client: Client, { path, preset }: SettingsFile, item: Item) =>
  client.json(path, { method: 'POST', body: JSON.stringify({ ...item, ...preset }) })

function change(client: Client, file: SettingsFile, current: Item, item: Item) {
  const changed = file.fields.filter(
    (name) => !isDeepStrictEqual(item[name], kept(file, current)[name]),
  )
  const body = Object.fromEntries(changed.map((name) => [name, item[name] ?? null]))
  const path = `${file.path}/${encodeURIComponent(String(current[file.id]))}`
  return client.json(path, { method: 'PATCH', body: JSON.stringify(body) })
}
