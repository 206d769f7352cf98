/** Where a delivery is. `withheld`: whoever the webhook acts for may no longer see the change, or it is no longer kept. */
export const DELIVERY_STATUSES = ['queued', 'sending', 'delivered', 'failed', 'withheld'] as const

/**
 * Why a webhook sends nothing: by hand, failures in a row, the receiver answered 410, whoever it acts for lost
 * the right, the conditions no longer fit an entity.
 */
export const STOP_REASONS = ['paused', 'failing', 'removed', 'unauthorised', 'invalid'] as const
export type StopReason = (typeof STOP_REASONS)[number]
