import { BUILT_IN_ROLES, isSameRole, type Permission, type RecordAction } from '@/lib/auth/rights'
import type { Decision, PolicySource } from '@/lib/policies/contract'

export const ACTION_WORDS: Record<RecordAction, string> = {
  read: 'Read',
  write: 'Create',
  update: 'Change',
  delete: 'Delete',
}

/** What the rights that are not about records let somebody do. */
export const PERMISSION_WORDS: Record<Permission, string> = {
  'plugins:read': 'See plugins',
  'plugins:install': 'Install and uninstall plugins',
  'users:manage': 'Manage users',
  'images:read': 'See images',
  'images:upload': 'Upload images',
  'images:delete': 'Delete images',
  'views:publish': 'Save views that others see',
  'keys:manage': 'Manage API keys',
  'mail:manage': 'Read and send mails',
  'security:manage': 'Manage roles, policies and second factors',
  'webhooks:manage': 'Manage webhooks and read what they sent',
  'system:read': 'See settings and the audit log',
}

/** The built-in roles, as people call them, and what each may do. */
export const BUILT_IN_WORDS = {
  ADMIN: {
    label: 'Administrator',
    may: 'May do everything: records, images, plugins, users, keys, mail and settings, whatever policies say.',
  },
  EDITOR: {
    label: 'Editor',
    may: 'Reads, creates, changes and deletes records of every entity; sees, uploads and deletes images; saves views for others. No plugins, users or settings.',
  },
  VIEWER: {
    label: 'Viewer',
    may: 'Reads records of every entity and sees images. Changes nothing.',
  },
} as const

export const isBuiltIn = (role: string): boolean =>
  BUILT_IN_ROLES.some((builtIn) => isSameRole(builtIn, role))

type Sources = {
  policies: readonly PolicySource[]
  /** The name of a plugin by its id. */
  pluginName: (id: string) => string
}

/** Why an action is allowed or not, to be read after `Yes` or `No`. */
export function whyOf(
  { allowed, closed, limited, role, policies }: Decision,
  sources: Sources,
): string {
  if (closed) return 'the definition of the entity allows it to nobody'
  const named = policies.map((name) => sourceOf(name, sources))
  if (!allowed) return named.length > 0 ? `denied by ${AND.format(named)}` : 'nothing grants it'
  const by = AND.format([...(role ? [`role ${role}`] : []), ...named])
  return limited ? `${by}, not for all records and fields` : by
}

function sourceOf(name: string, { policies, pluginName }: Sources): string {
  const pluginId = policies.find((policy) => policy.name === name)?.pluginId
  return pluginId ? `policy “${name}” of ${pluginName(pluginId)}` : `policy “${name}”`
}

/** What a policy does, as a sentence: `Allows reading and creating records of Airport`. */
export function policyWords({ allow, entities, actions }: PolicySource): string {
  const all = actions.includes('*') || actions.length === 4
  const acts = all ? 'everything' : AND.format(actions.map((action) => GERUNDS[action] ?? action))
  const which = entities.includes('*') ? 'every entity' : AND.format(entities)
  return `${allow ? 'Allows' : 'Denies'} ${acts} ${all ? 'on' : 'records of'} ${which}`
}

const GERUNDS: Record<string, string> = {
  read: 'reading',
  write: 'creating',
  update: 'changing',
  delete: 'deleting',
}

const AND = new Intl.ListFormat('en', { type: 'conjunction' })
