import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** The headers that keep a browser from running or framing what is not ours. HSTS only where the app is reached by https. */
export async function addSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        fontSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // Google serves the pictures of its accounts from here.
        imgSrc: ["'self'", 'data:', 'https://*.googleusercontent.com'],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component kit sets colours and sizes as style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: config.publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  })
}
