import { column, defined, textList, uuid } from './system/fields'
import type { SearchTarget, TargetField } from './target'

/** A table of the engine; its first field is its key. */
const own = (name: string, table: string, fields: TargetField[]): SearchTarget => ({
  ...{ name, table: { schema: 'engine', name: table }, fields, keys: [fields[0]?.name ?? ''] },
  ...{ extraColumn: null, extraFields: [], system: true },
})

const TIMES = [column('createdAt', 'datetime'), column('updatedAt', 'datetime')]

const ENTITIES = [
  own('EngineEntities', 'entities', [
    column('name', 'text'),
    defined('description', 'text'),
    column('pluginId', 'text', { nullable: true }),
    defined('engineSchema', 'text'),
    column('dbSchema', 'text', { column: 'table_schema' }),
    column('dbTable', 'text', { column: 'table_name' }),
    defined('pks', 'array', 'keys'),
    defined('insertDuplicate', 'text'),
    defined('updateStrategy', 'text'),
    defined('permissions', 'object'),
    defined('auditable', 'boolean'),
    defined('history', 'boolean'),
    defined('events', 'boolean'),
    defined('indexes', 'array'),
    defined('display', 'object'),
    defined('distribution', 'json'),
    ...TIMES,
  ]),
  own('EngineSchemas', 'schemas', [
    column('name', 'text'),
    defined('label', 'text'),
    defined('description', 'text'),
    column('pluginId', 'text', { nullable: true }),
    defined('additionalProperties', 'boolean'),
    defined('properties', 'array'),
    ...TIMES,
  ]),
  // Users without their credentials.
  own('EngineUsers', 'users', [
    uuid('userId', { column: 'id' }),
    column('email', 'text'),
    textList('roles'),
    column('profile', 'object'),
    column('status', 'text'),
    column('mustChangePassword', 'boolean'),
    column('activatedAt', 'datetime', { nullable: true }),
    column('lastSignInAt', 'datetime', { nullable: true }),
    ...TIMES,
  ]),
  own('EngineFiles', 'images', [
    uuid('fileId', { column: 'id' }),
    column('id', 'text', { column: 'asset_id' }),
    column('publicId', 'text'),
    column('name', 'text'),
    column('mediaType', 'text'),
    column('uri', 'text', { address: true }),
    column('secureUri', 'text', { address: true }),
    column('bytes', 'integer'),
    column('format', 'text'),
    column('folder', 'text'),
    column('width', 'integer'),
    column('height', 'integer'),
    textList('tags'),
    column('context', 'object'),
    column('crop', 'object', { nullable: true }),
    column('focalPoint', 'object', { nullable: true }),
    column('provider', 'text'),
    column('createdBy', 'text', { nullable: true }),
    ...TIMES,
  ]),
  own('EnginePlugins', 'plugins', [
    column('id', 'text'),
    column('name', 'text'),
    column('version', 'text', { nullable: true }),
    column('description', 'text', { nullable: true }),
    column('author', 'text', { nullable: true }),
    column('license', 'text', { nullable: true }),
    // A data URI of any size, returned only when it is asked for.
    column('image', 'text', { nullable: true, hidden: true }),
    column('manifest', 'object', { hidden: true }),
    column('lastHistoryId', 'integer', { nullable: true }),
    column('signer', 'object', { nullable: true }),
    ...TIMES,
  ]),
  own('EnginePluginHistory', 'installs', [
    column('id', 'integer'),
    column('kind', 'text'),
    column('rollbackOf', 'integer', { nullable: true }),
    column('pluginId', 'text', { nullable: true }),
    column('pluginName', 'text', { nullable: true }),
    column('version', 'text', { nullable: true }),
    column('source', 'text'),
    column('sha256', 'text'),
    column('mode', 'text'),
    column('status', 'text'),
    column('startedAt', 'datetime'),
    column('completedAt', 'datetime', { nullable: true }),
    column('durationMs', 'integer', {
      nullable: true,
      expression: '(extract(epoch from "completed_at" - "started_at") * 1000)::bigint',
    }),
    column('installedBy', 'text', { nullable: true }),
    column('cancelledBy', 'text', { nullable: true }),
    column('totalFiles', 'integer'),
    column('processedFiles', 'integer'),
    column('successCount', 'integer'),
    column('failedCount', 'integer'),
    column('recordCount', 'integer'),
    column('warningCount', 'integer'),
    column('errors', 'array'),
    column('signature', 'object', { nullable: true }),
  ]),
  // The outbox without bodies, which hold links and passwords.
  own('EngineEmails', 'mails', [
    uuid('id'),
    column('to', 'text'),
    column('subject', 'text'),
    column('template', 'text'),
    column('status', 'text'),
    column('attempts', 'integer'),
    column('error', 'text', { nullable: true }),
    column('createdAt', 'datetime'),
    column('sentAt', 'datetime', { nullable: true }),
  ]),
  // API keys with their visible prefix; without key or hash.
  own('EngineApiKeys', 'api_keys', [
    uuid('id'),
    column('name', 'text'),
    column('prefix', 'text'),
    textList('scopes', { nullable: true }),
    textList('roles', { nullable: true }),
    column('status', 'text', {
      expression: `case when "revoked_at" is not null then 'REVOKED' when "expires_at" <= now() then 'EXPIRED' else 'ACTIVE' end`,
    }),
    uuid('ownerId', { nullable: true }),
    column('owner', 'text', {
      column: 'owner_id',
      nullable: true,
      expression: `(select u."email" from "engine"."users" u where u."id" = "owner_id")`,
    }),
    column('expiresAt', 'datetime', { nullable: true }),
    column('revokedAt', 'datetime', { nullable: true }),
    column('lastUsedAt', 'datetime', { nullable: true }),
    column('createdAt', 'datetime'),
  ]),
  // Roles described by plugins; other roles may be assigned too.
  own('EngineRoles', 'roles', [
    column('name', 'text'),
    defined('label', 'text'),
    defined('description', 'text'),
    column('pluginId', 'text', { nullable: true }),
    ...TIMES,
  ]),
  // The policies of plugins, and those that were made here.
  own('EnginePolicies', 'policies', [
    column('name', 'text'),
    defined('description', 'text'),
    defined('principals', 'array'),
    defined('entities', 'array'),
    defined('actions', 'array'),
    column('allow', 'boolean'),
    column('priority', 'integer'),
    column('pluginId', 'text', { nullable: true }),
    column('invalid', 'text', { nullable: true }),
    ...TIMES,
  ]),
  own('EngineAuditLog', 'audit_log', [
    column('id', 'integer'),
    column('createdAt', 'datetime'),
    column('actorType', 'text'),
    uuid('actorId', { nullable: true }),
    column('actorName', 'text', { nullable: true }),
    column('address', 'text', { nullable: true }),
    column('action', 'text'),
    column('objectType', 'text'),
    column('objectId', 'text', { nullable: true }),
    column('details', 'object'),
    column('requestId', 'text', { nullable: true }),
    column('changeId', 'integer', { nullable: true }),
  ]),
  // `changeId` is that of the entry of `EngineAuditLog` that says who did it.
  own('EngineRecordVersions', 'record_versions', [
    column('id', 'integer'),
    column('at', 'datetime'),
    column('entity', 'text'),
    column('key', 'text'),
    column('kind', 'text'),
    column('before', 'object', { column: 'data', nullable: true }),
    column('after', 'object', { nullable: true }),
    column('changeId', 'integer', { nullable: true }),
    column('installId', 'integer', { nullable: true }),
  ]),
]

/**
 * The engine's own tables as administrators may search them, by name. Only the listed columns can be
 * read, filtered or sorted by.
 */
export const SYSTEM_ENTITIES: ReadonlyMap<string, SearchTarget> = new Map(
  ENTITIES.map((target) => [target.name, target]),
)
