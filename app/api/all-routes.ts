import type { Routes } from '@/lib/openapi/api-document'
import * as openApi from './openapi.json/route'
import { ROUTES } from './routes'

/** What the server serves below `/api`, by path. */
export const ALL_ROUTES: Routes = { ...ROUTES, '/api/openapi.json': openApi }
