import { ENGINE_API_KEYS } from './system/engine-api-keys'
import { ENGINE_AUDIT_LOG } from './system/engine-audit-log'
import { ENGINE_EMAILS } from './system/engine-emails'
import { ENGINE_ENTITIES } from './system/engine-entities'
import { ENGINE_FILES } from './system/engine-files'
import { ENGINE_PLUGIN_HISTORY } from './system/engine-plugin-history'
import { ENGINE_PLUGINS } from './system/engine-plugins'
import { ENGINE_POLICIES } from './system/engine-policies'
import { ENGINE_RECORD_VERSIONS } from './system/engine-record-versions'
import { ENGINE_ROLES } from './system/engine-roles'
import { ENGINE_SCHEMAS } from './system/engine-schemas'
import { ENGINE_USERS } from './system/engine-users'
import type { SearchTarget } from './target'

/**
 * The engine's own tables as administrators may search them, by name. Only the listed columns can be
 * read, filtered or sorted by; a new one is a file in `system/` and a line here.
 */
export const SYSTEM_ENTITIES: ReadonlyMap<string, SearchTarget> = new Map(
  [
    ENGINE_ENTITIES,
    ENGINE_SCHEMAS,
    ENGINE_USERS,
    ENGINE_FILES,
    ENGINE_PLUGINS,
    ENGINE_PLUGIN_HISTORY,
    ENGINE_EMAILS,
    ENGINE_API_KEYS,
    ENGINE_ROLES,
    ENGINE_POLICIES,
    ENGINE_AUDIT_LOG,
    ENGINE_RECORD_VERSIONS,
  ].map((target) => [target.name, target]),
)
