import { testAccess } from './testing/access'

await testAccess((path) => /^\/api\/(images|tasks|trash|views)/.test(path))
