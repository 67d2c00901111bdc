import { z } from 'zod';
import { churn } from '../../embedded/scenarios/large';
import { argumentOf, say, untilFinished } from './program-io';

const { url, rate, hot, hotRate } = argumentOf(
  z.object({
    url: z.string(),
    rate: z.number(),
    hot: z.array(z.object({ namespace: z.string(), name: z.string() })),
    hotRate: z.number(),
  }),
);

const signal = untilFinished();
say('ready');
say(await churn({ api: { baseUrl: url }, ratePerSecond: rate, hot: { names: hot, share: hotRate / rate }, signal }));
