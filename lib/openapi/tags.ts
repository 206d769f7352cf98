/** The groups of operations, in the order of the reference; by the first part of their path. */
const TAGS: Record<string, { name: string; description: string }> = {
  entities: { name: 'Records', description: 'Records of any entity, by its name' },
  records: { name: 'Records', description: 'Records of any entity, by its name' },
  exports: { name: 'Exports', description: 'Files that are prepared in the background' },
  imports: { name: 'Imports', description: 'Files that become records' },
  trash: { name: 'Trash', description: 'Deletions that can be undone' },
  plugins: { name: 'Plugins', description: 'Archives with entities, records and policies' },
  tasks: { name: 'Tasks', description: 'What is running' },
  images: { name: 'Images', description: 'Images and their metadata' },
  users: { name: 'Users', description: 'Accounts of people' },
  roles: { name: 'Roles', description: 'Roles, and what they may do' },
  rights: { name: 'Roles', description: 'Roles, and what they may do' },
  auth: { name: 'Sign-in', description: 'Links in mails, and the first administrator' },
  'api-keys': { name: 'API keys', description: 'Credentials of programs' },
  mails: { name: 'Mails', description: 'The outbox' },
  views: { name: 'Saved views', description: 'Searches that users save' },
  service: { name: 'Service', description: 'The server itself' },
}

const tagAt = (path: string) =>
  TAGS[path.split('/')[2] ?? ''] ?? (TAGS.service as { name: string; description: string })

/** The group of the operation at `/api/users/me`: `Users`. */
export const tagOf = (path: string): string => tagAt(path).name

export const ALL_TAGS = [...new Map(Object.values(TAGS).map((tag) => [tag.name, tag])).values()]

/** The group of the operations on one entity; no other group ends like this. */
export const entityTag = (entity: string) => `${entity} records`
