import { ARCHIVE_BUGS } from './archive-bugs'
import { PLAN_BUGS } from './plan-bugs'
import type { PlantedBug } from './planted-bug'
import { RIGHTS_BUGS } from './rights-bugs'
import { RULE_BUGS } from './rule-bugs'
import { SEARCH_BUGS } from './search-bugs'

/** A part of the engine whose tests are tested. */
export type Area = {
  name: string
  bugs: readonly PlantedBug[]
  /** Parts of the paths of its tests; those of a later list run when no test of an earlier one has failed. */
  tests: readonly (readonly string[])[]
}

const RECORDS = 'app/api/entities/[entityName]/'
const INSTALLS = 'app/api/plugins/install/zip/'

export const AREAS: readonly Area[] = [
  {
    name: 'search',
    bugs: SEARCH_BUGS,
    tests: [
      ['lib/search/'],
      [`${RECORDS}search/`, `${RECORDS}read-records`, `${RECORDS}count/`],
      ['app/api/entities/stale-', 'app/api/entities/system-', 'app/api/records', 'app/api/search-'],
    ],
  },
  {
    name: 'plan',
    bugs: PLAN_BUGS,
    tests: [
      ['lib/archives/plan/', 'lib/tables/', 'lib/archives/validate'],
      ['app/api/plugins/plugins.test', `${INSTALLS}evolution`, `${INSTALLS}said-of`],
      [`${INSTALLS}re`, `${INSTALLS}types`, `${RECORDS}references`, `${RECORDS}on-delete`],
    ],
  },
  {
    name: 'rights',
    bugs: [...RIGHTS_BUGS, ...RULE_BUGS],
    tests: [
      ['lib/auth/', 'lib/policies/'],
      ['app/api/api-keys/', 'app/api/roles/', 'app/api/rights/', 'app/api/plugins/policies'],
      ['app/api/users/', 'app/api/auth/', `${RECORDS}record-rights`, 'app/api/access'],
      [`${RECORDS}rules-`, 'app/api/taint.test', 'app/api/counting-as'],
    ],
  },
  {
    name: 'archive',
    bugs: ARCHIVE_BUGS,
    tests: [
      ['lib/archives/'],
      ['app/api/plugins/plugins.test'],
      ['route', 'hostile', 'labels', 'refusals', 'types'].map((name) => `${INSTALLS}${name}`),
    ],
  },
]
