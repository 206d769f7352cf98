import { z } from 'zod'
import { webUrl } from './setting-types'

/** Whether one kind of telemetry is sent to `OTEL_EXPORTER_OTLP_ENDPOINT`. */
const exporter = () => z.enum(['otlp', 'none']).default('otlp')

export const TELEMETRY_SETTINGS = {
  /** Where telemetry is sent by OTLP over HTTP (`/v1/traces`, `/v1/metrics`, `/v1/logs`); without it none is. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl('http://localhost:4318').optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('engine'),
  OTEL_TRACES_EXPORTER: exporter(),
  OTEL_METRICS_EXPORTER: exporter(),
  OTEL_LOGS_EXPORTER: exporter(),
}
