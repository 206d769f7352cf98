import type { Permission } from '@/lib/auth/rights'

/** What a scope allows, for people; its technical name is what requests and documents use. */
const WORDS: Record<Permission, string> = {
  'plugins:read': 'Read plugins',
  'plugins:install': 'Install plugins',
  'users:manage': 'Manage users',
  'images:read': 'Read images',
  'images:upload': 'Upload images',
  'images:delete': 'Delete images',
  'views:publish': 'Publish views',
  'keys:manage': 'Manage API keys',
  'mail:manage': 'Manage mail',
  'security:manage': 'Manage roles and second factors',
  'webhooks:manage': 'Manage webhooks',
  'system:read': 'Read settings and logs',
}

const ACTIONS: Record<string, string> = {
  read: 'Read',
  write: 'Create',
  update: 'Change',
  delete: 'Delete',
  '*': 'Everything with',
}

/** `Read plugins` for `plugins:read`, `Read Order` for `Order:read`; an unknown one as it is. */
export function scopeWords(scope: string): string {
  const known = Object.entries(WORDS).find(([name]) => name === scope)
  if (known) return known[1]
  const at = scope.lastIndexOf(':')
  const action = ACTIONS[scope.slice(at + 1)]
  if (at < 1 || !action) return scope
  const entity = scope.slice(0, at)
  return `${action} ${entity === '*' ? 'records of every entity' : entity}`
}
