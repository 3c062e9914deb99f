import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// `npm run dev` talks to the gateway at its usual port; in service the gateway itself serves dist/.
const gateway = 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  build: {
    // Everything is a file of its own: a policy of `default-src 'self'` then needs no exceptions.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/v1': { target: gateway, ws: true } } },
});
