import { testRepairsInDryRuns } from '../../testing/repairs-in-dry-runs'

testRepairsInDryRuns('partial')
