import { z } from 'zod';
import { bearer } from '../../embedded/apiserver/auth/people';
import { connectUrl } from '../../embedded/controllers/connect';
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
const api = connectUrl(url, bearer('admin'));
say(await churn({ api, ratePerSecond: rate, hot: { names: hot, share: hotRate / rate }, signal }));
