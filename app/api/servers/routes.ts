import type { Routes } from '@/lib/openapi/api-document'
import * as promotion from '../promotions/[id]/route'
import * as promotionUndo from '../promotions/[id]/undo/route'
import * as promotions from '../promotions/route'
import * as serverChecks from '../server/checks/route'
import * as serverRetention from '../server/retention/route'
import * as aboutServer from '../server/route'
import * as serverPlan from './[id]/plan/route'
import * as serverPromote from './[id]/promote/route'
import * as server from './[id]/route'
import * as serverTest from './[id]/test/route'
import * as servers from './route'

/** What is about this server as a whole, and about other servers, of `app/api/routes.ts`. */
export const SERVER_ROUTES: Routes = {
  '/api/promotions': promotions,
  '/api/promotions/[id]': promotion,
  '/api/promotions/[id]/undo': promotionUndo,
  '/api/server': aboutServer,
  '/api/server/checks': serverChecks,
  '/api/server/retention': serverRetention,
  '/api/servers': servers,
  '/api/servers/[id]': server,
  '/api/servers/[id]/test': serverTest,
  '/api/servers/[id]/plan': serverPlan,
  '/api/servers/[id]/promote': serverPromote,
}
