import { jobByJob, startWork } from '@/lib/background-work'
import type { Deps } from '@/lib/deps'
import { runPromotion } from './jobs/run-promotion'
import { claimPromotion } from './jobs/store'
import { hasOwnRoutes } from './own-routes'

const PROMOTING = {
  name: 'promotions',
  run: jobByJob(claimPromotion, runPromotion),
  failed: 'promotions were not carried out',
}

/** Plans, carries out and undoes the promotions that wait. */
export const startPromotions = (deps: Deps): Promise<void> =>
  hasOwnRoutes() ? startWork(deps, PROMOTING) : Promise.resolve()
