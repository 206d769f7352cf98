import { testAccess } from './testing/access'

await testAccess((path) => /^\/api\/(images|trash|views)/.test(path))
