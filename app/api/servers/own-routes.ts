import * as fileSchemas from '@/app/schemas/[name]/route'
import { routeFinder } from '@/lib/server/api-handler'
import { offerOwnRoutes } from '@/lib/servers/own-routes'
import * as records from '../entities/[entityName]/route'
import * as entities from '../entities/route'
import * as pluginExport from '../plugins/[id]/export/route'
import * as rollback from '../plugins/history/[id]/rollback/route'
import * as history from '../plugins/history/route'
import * as install from '../plugins/install/zip/route'
import * as plugins from '../plugins/route'
import * as policy from '../policies/[id]/route'
import * as policies from '../policies/route'
import * as role from '../roles/[name]/route'
import * as roles from '../roles/route'
import * as aboutServer from '../server/route'
import * as view from '../views/[id]/route'
import * as views from '../views/route'
import * as webhook from '../webhooks/[id]/route'
import * as webhooks from '../webhooks/route'

/** By which a promotion changes this server, as it changes others by their API. */
offerOwnRoutes(
  routeFinder({
    '/api/entities': entities,
    '/api/entities/[entityName]': records,
    '/api/plugins': plugins,
    '/api/plugins/[id]/export': pluginExport,
    '/api/plugins/history': history,
    '/api/plugins/history/[id]/rollback': rollback,
    '/api/plugins/install/zip': install,
    '/api/policies': policies,
    '/api/policies/[id]': policy,
    '/api/roles': roles,
    '/api/roles/[name]': role,
    '/api/server': aboutServer,
    '/api/views': views,
    '/api/views/[id]': view,
    '/api/webhooks': webhooks,
    '/api/webhooks/[id]': webhook,
    '/schemas/[name]': fileSchemas,
  }),
)
