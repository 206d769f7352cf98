import { buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'

/** The way to the other servers. */
export const ServersLink = () => (
  <Card title="Other servers">
    <div className="grid justify-items-start gap-3 text-[13px] text-muted-foreground">
      <p>
        Compare this server with another one, such as that for tests, and bring what it has: plugins
        with their records, roles, policies, shared views and webhooks.
      </p>
      <Link href="/settings/servers" className={buttonClass()}>
        Open other servers
      </Link>
    </div>
  </Card>
)
