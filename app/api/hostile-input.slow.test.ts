import { testPositions } from './testing/hostile/test-positions'

testPositions(({ path }) => !/^\/api\/entities\/(Thing|\{entityName\})/.test(path))
