'use client'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { installQueue } from './install-queue'

/** What was loaded later is of another plan than the one that is shown. */
export const PlanOutOfDate = ({ id }: { id: string }) => (
  <Notice
    tone="warning"
    title="The plan is out of date"
    actions={
      <Button size="sm" onClick={() => installQueue.planAgain(id)}>
        Make a new plan
      </Button>
    }
  >
    What it depends on has changed.
  </Notice>
)
