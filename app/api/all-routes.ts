import type { Routes } from '@/lib/openapi/api-document'
import * as fileSchemas from '../schemas/[name]/route'
import * as openApi from './openapi.json/route'
import { ROUTES } from './routes'

/** What the server serves without Next: all below `/api` and `/schemas`, by path. */
export const ALL_ROUTES: Routes = {
  ...ROUTES,
  '/api/openapi.json': openApi,
  '/schemas/[name]': fileSchemas,
}
