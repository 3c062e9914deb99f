import preset from '../../jest.preset.mjs';

const [[, [compiler, { jsc, ...options }]]] = Object.entries(preset.transform);

// Components are rendered to text: what a list shows can be asserted without a browser.
export default {
  ...preset,
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    ...preset.transform,
    '^.+\\.tsx$': [
      compiler,
      {
        ...options,
        jsc: {
          ...jsc,
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
      },
    ],
  },
};
